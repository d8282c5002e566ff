package io.snowlease.it;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Containers for nodes: used again by the next test, as starting one takes its time. */
final class NodeBoxes {
    private static final ConcurrentLinkedDeque<Box> FREE = new ConcurrentLinkedDeque<>();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private static @Nullable String archive;

    private NodeBoxes() {}

    /** An archive of the classes of the runnable jar, with which nodes start faster; where containers see it. */
    static synchronized String archive() {
        String made = archive;
        if (made == null) {
            made = Box.SHARED + "/snowlease.jsa";
            try (Box box = new Box("class-sharing")) {
                box.run("java", "-cp", Box.JAR, "io.snowlease.admin.sharing.ClassSharing", made);
            }
            archive = made;
        }
        return made;
    }

    static Box take() {
        Box free = FREE.poll();
        return free != null ? free : new Box("node-" + COUNT.incrementAndGet(), ContainerNode.PORT);
    }

    /** With nothing running in it, and no cut left. */
    static void giveBack(Box box) {
        FREE.push(box);
    }
}
