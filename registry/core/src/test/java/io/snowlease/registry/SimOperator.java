package io.snowlease.registry;

import io.snowlease.registry.spi.StoreUnavailableException;
import java.util.function.Consumer;

/** A person at one of the machines, who evicts or quarantines by the real code: messages may be lost, late or doubled. */
final class SimOperator implements SimStore.Caller {
    private final Coroutine main;
    private boolean over;

    private SimOperator(SimWorld world, SimNode at, Consumer<Operator> change) {
        Operator operator = new Operator(
                new SimStore(world, at, this), "simulated", at, world::nextToken, world.rules()::leaseRules);
        this.main = new Coroutine(() -> {
            try {
                change.accept(operator);
                world.operated();
            } catch (StoreUnavailableException | RegistryException refused) {
                world.refused();
            }
            over = true;
        });
    }

    static SimOperator evicting(SimWorld world, SimNode at, int worker) {
        return new SimOperator(world, at, operator -> operator.evict(worker, null));
    }

    static SimOperator quarantining(SimWorld world, SimNode at) {
        return new SimOperator(world, at, Operator::quarantine);
    }

    @Override
    public void suspend() {
        main.suspend();
    }

    @Override
    public void resume() {
        main.resume();
    }

    /** Whether it was done, or given up. */
    boolean isOver() {
        return over;
    }

    void kill() {
        main.kill();
    }
}
