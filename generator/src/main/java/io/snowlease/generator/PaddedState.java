package io.snowlease.generator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Keeps {@link StateCell#state} apart from what lies before it in memory. */
abstract class PaddingBefore {
    long before1, before2, before3, before4, before5, before6, before7, before8;
    long before9, before10, before11, before12, before13, before14, before15;
}

/** The one word that threads compete for. */
abstract class StateCell extends PaddingBefore {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(StateCell.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    volatile long state;

    final boolean compareAndSet(long expected, long next) {
        return STATE.compareAndSet(this, expected, next);
    }
}

/** A word on cache lines of its own, so that writes to it slow down nobody who reads what lies beside it. */
abstract class PaddedState extends StateCell {
    long after1, after2, after3, after4, after5, after6, after7, after8;
    long after9, after10, after11, after12, after13, after14, after15;
}
