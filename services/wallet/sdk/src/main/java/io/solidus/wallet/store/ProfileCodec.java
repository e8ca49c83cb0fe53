package io.solidus.wallet.store;

import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import java.net.URI;
import java.util.Comparator;
import java.util.HashSet;

/** Encodes a {@link WalletProfile}. */
final class ProfileCodec {
  private static final int KEY_BYTES = 32;

  private ProfileCodec() {}

  static void write(StateWriter out, WalletProfile profile) {
    out.text(profile.network().value())
        .text(profile.kind().name())
        .text(profile.currency().value())
        .fixed(profile.manifestKey())
        .each(
            profile.keyClasses().stream().sorted().toList(),
            (w, keyClass) -> w.text(keyClass.name()))
        .text(profile.gateway().toString())
        .text(profile.services().registration().toString())
        .text(profile.services().sanctions().toString())
        .text(profile.services().issuance().toString())
        .fixed(profile.services().redemptionKey().bytes())
        .each(
            profile.services().tlsKeys().stream()
                .sorted(Comparator.comparing(Digest32::hex))
                .toList(),
            (w, key) -> w.fixed(key.bytes()))
        .text(profile.keysDir())
        .optional(profile.proverKey(), (w, key) -> w.fixed(key.bytes()));
  }

  static WalletProfile read(StateReader in) {
    return new WalletProfile(
        new NetworkId(in.text()),
        NetworkKind.valueOf(in.text()),
        new CurrencyCode(in.text()),
        in.fixed(KEY_BYTES),
        new HashSet<>(in.each(r -> KeyClass.valueOf(r.text()))),
        URI.create(in.text()),
        new ServicePins(
            URI.create(in.text()),
            URI.create(in.text()),
            URI.create(in.text()),
            new EncryptionKey(in.fixed(EncryptionKey.BYTES)),
            new HashSet<>(in.each(r -> Digest32.of(r.fixed(Digest32.BYTES))))),
        in.text(),
        in.optional(r -> new EncryptionKey(r.fixed(EncryptionKey.BYTES))));
  }
}
