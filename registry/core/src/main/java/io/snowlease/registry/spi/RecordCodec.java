package io.snowlease.registry.spi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.snowlease.registry.protocol.RegistryRecord;
import io.snowlease.registry.protocol.SlotRecord;
import io.snowlease.registry.protocol.SlotState;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Records as compact JSON, the same in every store and readable by an operator: {@code
 * {"worker":7,"epoch":3,"node":"orders-1",...}}. Field names are those of the records, in their order; a record always
 * gives the same text.
 *
 * <p>Unknown fields are left aside, so that an older node can read what a newer one wrote. Anything missing or of
 * another type is a {@link MalformedRecordException} that names place and field. Thread-safe.
 */
public final class RecordCodec {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private RecordCodec() {}

    /** Slot record to text. */
    public static String toJson(SlotRecord slot) {
        return JSON.createObjectNode()
                .put("worker", slot.worker())
                .put("epoch", slot.epoch())
                .put("node", slot.node())
                .put("token", slot.token())
                .put("state", slot.state().name())
                .put("floor", slot.floor())
                .put("until", slot.until())
                .put("last", slot.last())
                .put("claimedAt", slot.claimedAt())
                .put("renewedAt", slot.renewedAt())
                .toString();
    }

    /** Registry record to text. */
    public static String toJson(RegistryRecord registry) {
        return JSON.createObjectNode()
                .put("registryId", registry.registryId())
                .put("layout", registry.layout())
                .put("leaseMillis", registry.leaseMillis())
                .put("skewMillis", registry.skewMillis())
                .put("lagMillis", registry.lagMillis())
                .put("firstWorker", registry.firstWorker())
                .put("lastWorker", registry.lastWorker())
                .put("createdAt", registry.createdAt())
                .put("serverIdentity", registry.serverIdentity())
                .put("quarantineUntil", registry.quarantineUntil())
                .put("floor", registry.floor())
                .toString();
    }

    /**
     * Slot record from text.
     *
     * @param where the place it was read from, for the message
     * @throws MalformedRecordException if it is not one
     */
    public static SlotRecord slot(String json, String where) {
        Fields fields = new Fields(json, where);
        return new SlotRecord(
                fields.worker("worker"),
                fields.integer("epoch"),
                fields.text("node"),
                fields.text("token"),
                fields.state("state"),
                fields.integer("floor"),
                fields.integer("until"),
                fields.integer("last"),
                fields.integer("claimedAt"),
                fields.integer("renewedAt"));
    }

    /**
     * Registry record from text.
     *
     * @param where the place it was read from, for the message
     * @throws MalformedRecordException if it is not one
     */
    public static RegistryRecord registry(String json, String where) {
        Fields fields = new Fields(json, where);
        return new RegistryRecord(
                fields.text("registryId"),
                fields.text("layout"),
                fields.integer("leaseMillis"),
                fields.integer("skewMillis"),
                fields.integer("lagMillis"),
                fields.worker("firstWorker"),
                fields.worker("lastWorker"),
                fields.integer("createdAt"),
                fields.text("serverIdentity"),
                fields.integer("quarantineUntil"),
                fields.integer("floor"));
    }

    /** One JSON object; every look-up either gives a value of the right type or names what is wrong. */
    private static final class Fields {
        private final ObjectNode object;
        private final String where;

        Fields(String json, String where) {
            this.where = where;
            JsonNode node;
            try {
                node = JSON.readTree(json);
            } catch (JsonProcessingException e) {
                // The parser's own message quotes the source, and so perhaps a token.
                throw malformed("must be a JSON object, found text that is no JSON", e);
            }
            if (!(node instanceof ObjectNode found)) {
                throw malformed("must be a JSON object, found " + typeOf(node), null);
            }
            this.object = found;
        }

        long integer(String field) {
            JsonNode value = object.get(field);
            if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
                throw wrong(field, "a 64-bit integer", value);
            }
            return value.longValue();
        }

        int worker(String field) {
            JsonNode value = object.get(field);
            if (value == null || !value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0) {
                throw wrong(field, "an integer >= 0", value);
            }
            return value.intValue();
        }

        String text(String field) {
            JsonNode value = object.get(field);
            if (value == null || !value.isTextual()) {
                throw wrong(field, "a string", value);
            }
            return value.textValue();
        }

        SlotState state(String field) {
            String name = text(field);
            for (SlotState state : SlotState.values()) {
                if (state.name().equals(name)) {
                    return state;
                }
            }
            throw malformed(
                    "field '" + field + "' must be one of " + Arrays.toString(SlotState.values()) + ": " + name, null);
        }

        private MalformedRecordException wrong(String field, String expected, @Nullable JsonNode value) {
            return malformed("field '" + field + "' must be " + expected + ", found " + typeOf(value), null);
        }

        private MalformedRecordException malformed(String problem, @Nullable Throwable cause) {
            return new MalformedRecordException(where + ": " + problem, cause);
        }

        private static String typeOf(@Nullable JsonNode value) {
            return value == null || value.isMissingNode()
                    ? "nothing"
                    : value.isNumber()
                            ? "number " + value
                            : value.getNodeType().name().toLowerCase(Locale.ROOT);
        }
    }
}
