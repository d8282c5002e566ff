package io.snowlease.registry.redis;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What is logged while this is open, at DEBUG, stack traces included; TRACE shows all that is sent, as SECURITY.md says. */
final class Logs implements AutoCloseable {
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final List<Appender<ILoggingEvent>> others = new ArrayList<>();
    private final Logger logger;
    private final @Nullable Level before;
    private final boolean additive;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            IThrowableProxy thrown = event.getThrowableProxy();
            texts.add(event.getFormattedMessage() + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown)));
        }
    };

    /** Of a logger and those below it; they are quiet otherwise. */
    Logs(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        before = logger.getLevel();
        additive = logger.isAdditive();
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        logger.iteratorForAppenders().forEachRemaining(others::add);
        others.forEach(logger::detachAppender);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    List<String> texts() {
        return List.copyOf(texts);
    }

    /** An exception as it would be logged. */
    static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
        others.forEach(logger::addAppender);
        logger.setLevel(before);
        logger.setAdditive(additive);
    }
}
