package io.snowlease.generator.journal;

import io.snowlease.generator.Layout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One slot of the file as bytes, big-endian: magic (its last character is the version), sequence, flags, worker, epoch,
 * until, reserved, then registry id, layout, token, resume token and origin, each with its length; zeros; and in the
 * last four bytes the CRC32C of all the others, the zeros included.
 *
 * @param sequence number of the entry; 0 for a slot that holds none yet
 * @param entry the entry, or null for such a slot
 */
record Slot(long sequence, @Nullable JournalEntry entry) {
    /** A page of most disks and of most page caches, so that a write to one slot never touches the other. */
    static final int BYTES = 4096;

    /** A slot in which nothing has been recorded. */
    static final Slot BLANK = new Slot(0, null);

    private static final long MAGIC = 0x534E_4F57_4A52_4E32L; // SNOWJRN2
    private static final int CRC_AT = BYTES - Integer.BYTES;
    private static final int HAS_ENTRY = 1;
    private static final int CLOSED = 2;
    private static final int HAS_RESUME_TOKEN = 4;

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES).putLong(MAGIC).putLong(sequence);
        JournalEntry held = entry;
        if (held == null) {
            out.putInt(0);
        } else {
            String resumeToken = held.resumeToken();
            out.putInt(HAS_ENTRY | (held.closed() ? CLOSED : 0) | (resumeToken == null ? 0 : HAS_RESUME_TOKEN));
            out.putInt(held.worker());
            out.putLong(held.epoch()).putLong(held.untilMillis()).putLong(held.reservedMillis());
            putText(out, held.registryId());
            putText(out, held.layout().spec());
            putText(out, held.token());
            putText(out, resumeToken == null ? "" : resumeToken);
            putText(out, held.origin());
        }
        return out.putInt(CRC_AT, crc(out.array(), 0)).array();
    }

    /** The slot that starts there, or null if it is damaged. */
    static @Nullable Slot decode(byte[] file, int start) {
        if (file.length - start < BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(file, start, BYTES).slice();
        if (in.getInt(CRC_AT) != crc(file, start) || in.getLong() != MAGIC) {
            return null;
        }
        long sequence = in.getLong();
        int flags = in.getInt();
        if (flags == 0) {
            return sequence == 0 ? BLANK : null;
        }
        try {
            return new Slot(sequence, entry(sequence, flags, in));
        } catch (RuntimeException e) {
            // Not by accident with a right checksum: another program's, or another version's.
            return null;
        }
    }

    private static JournalEntry entry(long sequence, int flags, ByteBuffer in) {
        int worker = in.getInt();
        long epoch = in.getLong();
        long until = in.getLong();
        long reserved = in.getLong();
        String registryId = text(in);
        Layout layout = Layout.parse(text(in));
        String token = text(in);
        String resumeToken = text(in);
        String origin = text(in);
        return new JournalEntry(
                sequence,
                registryId,
                layout,
                worker,
                epoch,
                token,
                (flags & HAS_RESUME_TOKEN) == 0 ? null : resumeToken,
                until,
                reserved,
                (flags & CLOSED) != 0,
                origin);
    }

    private static void putText(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.putShort((short) bytes.length).put(bytes);
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[in.getShort()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int crc(byte[] file, int start) {
        CRC32C crc = new CRC32C();
        crc.update(file, start, CRC_AT);
        return (int) crc.getValue();
    }
}
