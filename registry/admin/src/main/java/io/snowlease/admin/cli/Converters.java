package io.snowlease.admin.cli;

import io.snowlease.generator.IdFormat;
import io.snowlease.generator.Layout;
import io.snowlease.generator.local.WorkerIdSource;
import io.snowlease.registry.protocol.WorkerRange;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads option values; a wrong one is a usage error that says what is expected. */
final class Converters {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|min|h|d)");

    private Converters() {}

    static void register(CommandLine commands) {
        commands.registerConverter(Duration.class, Converters::duration);
        commands.registerConverter(Layout.class, checked(Layout::parse));
        commands.registerConverter(IdFormat.class, checked(IdFormat::named));
        commands.registerConverter(WorkerIdSource.class, checked(WorkerIdSource::parse));
        commands.registerConverter(WorkerRange.class, checked(WorkerRange::parse));
    }

    private static <T> ITypeConverter<T> checked(Function<String, T> parser) {
        return text -> {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        };
    }

    static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "h" -> Duration.ofHours(number);
                case "d" -> Duration.ofDays(number);
                default -> Duration.ofMinutes(number);
            };
        }
        try {
            Duration iso = Duration.parse(text.strip());
            if (!iso.isNegative()) {
                return iso;
            }
        } catch (DateTimeException e) {
            // answered below, with the same rule
        }
        throw new TypeConversionException("must be a duration such as 500ms, 60s, 1m, 2h or PT60S: " + text);
    }
}
