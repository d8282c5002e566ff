package io.snowlease.admin.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs to stderr, a line each: warnings of a server; nothing of a short command, whose result or failure says it all. In
 * code, as reading an XML file would cost a tenth of a second at each start. The client libraries' own noise stays off: what
 * matters of it comes back as an error of ours.
 */
public final class LoggingSetup extends ContextAwareBase implements Configurator {
    private static final String APPENDER = "stderr";
    private static final String OWN = "io.snowlease";
    private static final String[] NOISY = {"org.apache.zookeeper", "org.apache.curator", "io.lettuce", "io.netty"};

    /** Called by Logback, through its service loader. */
    public LoggingSetup() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("snowlease: %level %msg%nopex%n");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName(APPENDER);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        setLevels(context, Level.OFF, Level.OFF, Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** For a server: shows warnings; no less than what {@link #verbose} has asked for. */
    static void serving() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                && context.getLogger(OWN).getLevel() == Level.OFF) {
            setLevels(context, Level.WARN, Level.WARN, Level.OFF);
        }
    }

    /** Shows what is otherwise left out: INFO of our own, warnings of all libraries, stack traces. */
    static void verbose() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            setLevels(context, Level.INFO, Level.WARN, Level.WARN);
            if (context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(APPENDER)
                            instanceof ConsoleAppender<ILoggingEvent> appender
                    && appender.getEncoder() instanceof PatternLayoutEncoder encoder) {
                encoder.stop();
                encoder.setPattern("%date{ISO8601} %-5level %logger{20} [%thread] %msg%n");
                encoder.start();
            }
        }
    }

    private static void setLevels(LoggerContext context, Level own, Level libraries, Level noisy) {
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(libraries);
        context.getLogger(OWN).setLevel(own);
        for (String logger : NOISY) {
            context.getLogger(logger).setLevel(noisy);
        }
    }
}
