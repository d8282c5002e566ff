package io.snowlease.it;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Containers for nodes: used again by the next test, as starting one takes its time. */
final class NodeBoxes {
    private static final ConcurrentLinkedDeque<Box> FREE = new ConcurrentLinkedDeque<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private NodeBoxes() {}

    static Box take() {
        Box free = FREE.poll();
        return free != null ? free : new Box("node-" + COUNT.incrementAndGet(), ContainerNode.PORT);
    }

    /** With nothing running in it, and no cut left. */
    static void giveBack(Box box) {
        FREE.push(box);
    }
}
