package io.snowlease.generator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.snowlease.generator.Layout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The bytes: whatever happens to them, what is read is an entry that was written, or nothing. */
class JournalFileTest {
    private static final JournalEntry BEFORE = entry(8, 1_000);
    private static final JournalEntry NEWEST = entry(9, 2_000);

    private static JournalEntry entry(long sequence, long reserved) {
        return new JournalEntry(
                sequence,
                "registry-ä",
                Layout.LEAF,
                3,
                7,
                "token",
                sequence % 2 == 0 ? null : "t2",
                60_000,
                reserved,
                false,
                "file@host");
    }

    private static byte[] file(Slot first, Slot second) {
        byte[] bytes = Arrays.copyOf(first.encode(), JournalFile.BYTES);
        System.arraycopy(second.encode(), 0, bytes, Slot.BYTES, Slot.BYTES);
        return bytes;
    }

    private static Slot slot(JournalEntry entry) {
        return new Slot(entry.sequence(), entry);
    }

    @Test
    void readsBackWhatWasWritten() {
        JournalReading reading = JournalFile.read(file(slot(NEWEST), slot(NEWEST)));

        assertThat(reading).isEqualTo(new JournalReading(JournalReading.Status.PROOF, NEWEST, ""));
    }

    @Test
    void theNewerSlotWinsWhicheverItIs() {
        assertThat(JournalFile.read(file(slot(NEWEST), slot(BEFORE))).entry()).isEqualTo(NEWEST);
        assertThat(JournalFile.read(file(slot(BEFORE), slot(NEWEST))).entry()).isEqualTo(NEWEST);
    }

    @Test
    void aFlippedBitAnywhereCostsItsSlotAndNothingElse() {
        byte[] bytes = file(slot(NEWEST), slot(BEFORE));
        for (int at = 0; at < bytes.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                bytes[at] ^= (byte) (1 << bit);
                assertThat(JournalFile.read(bytes).entry())
                        .as("bit %s of byte %s", bit, at)
                        .isEqualTo(at < Slot.BYTES ? BEFORE : NEWEST);
                bytes[at] ^= (byte) (1 << bit);
            }
        }
    }

    @Test
    void atRestAFlippedBitCostsNothing() {
        byte[] bytes = file(slot(NEWEST), slot(NEWEST));
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] ^= 0x10;
            assertThat(JournalFile.read(bytes).entry()).as("byte %s", at).isEqualTo(NEWEST);
            bytes[at] ^= 0x10;
        }
    }

    @Test
    void aWriteTornAnywhereLeavesTheOtherSlot() {
        byte[] old = slot(BEFORE).encode();
        byte[] fresh = slot(NEWEST).encode();
        for (int torn = 0; torn <= Slot.BYTES; torn++) {
            byte[] bytes = file(slot(BEFORE), slot(BEFORE));
            System.arraycopy(fresh, 0, bytes, 0, torn);
            JournalEntry read = JournalFile.read(bytes).entry();
            assertThat(read).as("torn at %s", torn).isIn(BEFORE, NEWEST);
            boolean whole = Arrays.equals(fresh, Arrays.copyOf(bytes, Slot.BYTES));
            assertThat(read).isEqualTo(whole ? NEWEST : BEFORE);
        }
        assertThat(old).isNotEqualTo(fresh);
    }

    @Test
    void aFileOfAnyOtherLengthProvesNothing() {
        byte[] bytes = file(slot(NEWEST), slot(NEWEST));
        for (int length = 0; length < bytes.length; length++) {
            assertThat(JournalFile.read(Arrays.copyOf(bytes, length)).status())
                    .as("length %s", length)
                    .isEqualTo(JournalReading.Status.DAMAGED);
        }
        assertThat(JournalFile.read(Arrays.copyOf(bytes, 4096)))
                .isEqualTo(JournalReading.damaged("the journal must have 8192 bytes: it has 4096, and proves nothing"));
        assertThat(JournalFile.read(Arrays.copyOf(bytes, bytes.length + 1)).isProof())
                .isFalse();
    }

    @Test
    void zerosAreDamageAndNotANewJournal() {
        assertThat(JournalFile.read(new byte[JournalFile.BYTES]))
                .isEqualTo(JournalReading.damaged("the journal is damaged: the checksum of neither slot is right"));
    }

    @Test
    void blankSlotsAreANewJournal() {
        assertThat(JournalFile.read(file(Slot.BLANK, Slot.BLANK)))
                .isEqualTo(JournalReading.missing("the journal is new"));
    }

    @Test
    void slotsThatContradictEachOtherProveNothing() {
        assertThat(JournalFile.read(file(slot(NEWEST), slot(entry(9, 2_001)))))
                .isEqualTo(JournalReading.damaged("the journal is damaged: its slots contradict each other"));
    }

    @Test
    void anEntryOfAnotherLayoutOrRegistryProvesNothingAndIsStillThere() {
        JournalReading reading = JournalFile.read(file(slot(NEWEST), slot(NEWEST)));

        assertThat(reading.forLayout(Layout.LEAF).forRegistry("registry-ä").isProof())
                .isTrue();
        assertThat(reading.forLayout(Layout.COSID))
                .isEqualTo(new JournalReading(
                        JournalReading.Status.OTHER_LAYOUT,
                        NEWEST,
                        "the journal is of layout " + Layout.LEAF.spec() + ", not of " + Layout.COSID.spec()
                                + ", and proves nothing for it"));
        assertThat(reading.forRegistry("other"))
                .isEqualTo(new JournalReading(
                        JournalReading.Status.OTHER_REGISTRY,
                        NEWEST,
                        "the journal is of registry registry-ä, not of other, and proves nothing for it"));
    }
}
