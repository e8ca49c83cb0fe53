package io.solidus.wallet.gateway;

import org.jspecify.annotations.Nullable;

/** Who registers: a person or an organisation. The wallet does not store the details. */
public sealed interface Applicant permits Person, Organisation {

  /** Id of the bank whose customer it becomes; null where there is one bank. */
  @Nullable String bank();
}
