package io.solidus.loadtest.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tap raises an alarm as soon as signatures contradict each other. */
class SignatureTapTest {

  private final SignatureTap tap = new SignatureTap();

  SignatureTapTest() {
    add(1, 1, 7, 1, true);
    add(2, 1, 7, 2, true);
    add(1, 1, 7, 1, true);
    add(1, 2, 8, 3, true);
  }

  @Test
  void repetitionsAndOtherAuthoritiesRaiseNoAlarm() {
    assertThat(tap.alarms()).isEmpty();
    assertThat(tap.all()).hasSize(3);
    assertThat(tap.after(1)).hasSize(2);
  }

  @Test
  void otherBytesRaiseAnAlarm() {
    add(1, 1, 7, 9, true);
    assertThat(tap.alarms()).singleElement().asString().contains("other bytes");
  }

  @Test
  void aSecondCoreRaisesAnAlarm() {
    add(1, 3, 7, 4, true);
    assertThat(tap.alarms()).singleElement().asString().contains("a second core");
  }

  @Test
  void aWrongSignatureRaisesAnAlarm() {
    add(3, 1, 7, 5, false);
    assertThat(tap.alarms()).singleElement().asString().contains("a wrong signature");
  }

  private void add(int authority, int core, long serial, int bytes, boolean valid) {
    tap.add(
        new SignatureTap.Signed(
            authority,
            new TxCore(Digest32.sha256(new byte[] {(byte) core})),
            List.of(new SerialNumber(FieldElement.ofLong(serial))),
            ByteString.copyFrom(new byte[] {(byte) bytes}),
            valid),
        0);
  }
}
