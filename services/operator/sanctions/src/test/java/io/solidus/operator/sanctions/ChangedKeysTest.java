package io.solidus.operator.sanctions;

import static io.solidus.operator.sanctions.SanctionsFixture.NETWORK;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service after a change of its two keys, on the database of before. */
@Tag("process")
@Spec("F-31")
class ChangedKeysTest {
  private static final byte CHECKPOINT_SEED = 11;
  private static final byte POLICY_SEED = 12;
  private static final List<String> POLICIES =
      List.of("/v1/policy", "/v1/policies/newest", "/v1/policies/1");
  private static final List<String> CHECKPOINTS =
      List.of("/v1/sanctions/checkpoint", "/v1/sanctions/checkpoints/1");

  /** Readers know the present key alone, like the redemption desk, and the text is the same. */
  @Test
  void storedNotesArePublishedUnderThePresentKey(@TempDir Path folder) throws Exception {
    try (SanctionsFixture service = SanctionsFixture.start(folder, SanctionsFixture.NO_KAFKA)) {
      publish(service);
      Policy policy = policy(service, POLICIES.getFirst(), SanctionsFixture.policyKey());
      String checkpoint = text(service, CHECKPOINTS.getFirst(), SanctionsFixture.checkpointKey());
      Map<String, Object> former = new HashMap<>();
      former(former, 0, "policy", SanctionsFixture.policyKey());
      former(former, 1, "sanctions", SanctionsFixture.checkpointKey());
      service.restartWith(CHECKPOINT_SEED, POLICY_SEED, former);

      for (String page : POLICIES) {
        assertThat(policy(service, page, present(NoteTrust.POLICY, POLICY_SEED)))
            .as(page)
            .isEqualTo(policy);
        assertThat(isSigned(service, page, SanctionsFixture.policyKey())).as(page).isFalse();
      }
      NoteKey present = present(NoteTrust.SANCTIONS, CHECKPOINT_SEED);
      for (String page : CHECKPOINTS) {
        assertThat(text(service, page, present)).as(page).isEqualTo(checkpoint);
      }
      assertThat(isSigned(service, "/v1/sanctions/heartbeat", present)).isTrue();
    }
  }

  /**
   * Without the former keys nobody accepts the stored notes: the present key never signs what its
   * owner cannot show to have signed before.
   */
  @Test
  void notesOfAnUnknownKeyAreNotSigned(@TempDir Path folder) throws Exception {
    try (SanctionsFixture service = SanctionsFixture.start(folder, SanctionsFixture.NO_KAFKA)) {
      publish(service);
      String stored = service.rest.get(POLICIES.getLast()).body();
      Map<String, Object> crossed = new HashMap<>();
      former(crossed, 0, "sanctions", SanctionsFixture.policyKey());
      for (Map<String, Object> former : List.<Map<String, Object>>of(Map.of(), crossed)) {
        service.restartWith(CHECKPOINT_SEED, POLICY_SEED, former);
        assertThat(service.rest.get(POLICIES.getLast()).body()).isEqualTo(stored);
        assertThat(isSigned(service, CHECKPOINTS.getLast(), SanctionsFixture.checkpointKey()))
            .isTrue();
      }
    }
  }

  /** Attack: whoever writes into the database puts another text beside the former key's line. */
  @Test
  void aNoteThatWasChangedIsNotSigned() {
    NoteSigner former = SanctionsFixture.signer(NoteTrust.POLICY, (byte) 1);
    NoteSigner present = SanctionsFixture.signer(NoteTrust.POLICY, (byte) 2);
    PublishedNotes notes =
        new PublishedNotes(
            present, List.of(new NoteKeys.Former(former.publicKey(), Instant.now())));
    SignedNote good = SignedNote.sign("limit: 5\n", former);
    assertThat(
            SignedNote.parse(notes.of(good.encode())).requireSignedBy(present.publicKey()).text())
        .isEqualTo("limit: 5\n");
    String changed = good.encode().replace("limit: 5", "limit: 6");
    assertThat(notes.of(changed)).isEqualTo(changed);
    String own = SignedNote.sign("limit: 5\n", present).encode();
    assertThat(notes.of(own)).isEqualTo(own);
  }

  private static void publish(SanctionsFixture service) {
    String proposal =
        service
            .rest
            .post(
                "/admin/v1/policies",
                PoliciesTest.limits(PoliciesTest.thisMonth(), 0),
                service.policyOperator())
            .json()
            .path("id")
            .asString();
    assertThat(service.approve(proposal, service.approver()).status()).isEqualTo(200);
    service.list(HexFormat.of().formatHex(new byte[31]) + "07");
    assertThat(service.publishCheckpoint().status()).isEqualTo(200);
  }

  private static void former(Map<String, Object> to, int number, String issuer, NoteKey key) {
    String prefix = "solidus.trust.former[" + number + "].";
    to.put(prefix + "issuer", issuer);
    to.put(prefix + "key", key.publicKey().base64());
    to.put(prefix + "until", "2026-01-01T00:00:00Z");
  }

  private static NoteKey present(String name, byte seed) {
    return SanctionsFixture.signer(name, seed).publicKey();
  }

  private static Policy policy(SanctionsFixture service, String page, NoteKey key) {
    return Policy.parse(NETWORK, text(service, page, key));
  }

  private static String text(SanctionsFixture service, String page, NoteKey key) {
    return SignedNote.parse(service.rest.get(page).body()).requireSignedBy(key).text();
  }

  private static boolean isSigned(SanctionsFixture service, String page, NoteKey key) {
    return SignedNote.parse(service.rest.get(page).body()).isSignedBy(key);
  }
}
