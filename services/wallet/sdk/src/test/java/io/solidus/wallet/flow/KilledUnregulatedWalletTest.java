package io.solidus.wallet.flow;

import io.solidus.protocol.Spec;
import org.junit.jupiter.api.Tag;

/** As {@link KilledWalletTest}, in an unregulated network. */
@Tag("process")
@Spec("W-14")
class KilledUnregulatedWalletTest extends KilledWalletTest {
  @Override
  TestNetwork network() {
    return TestNetwork.unregulated();
  }
}
