package io.solidus.wallet.session;

/**
 * A listener for the steps of a wallet's operations. It is called on the thread that called the
 * wallet, before each step that takes time.
 */
@FunctionalInterface
public interface Progress {
  Progress NONE = step -> {};

  void at(Step step);

  enum Step {
    FETCHING_RULES("fetching policy and sanction list"),
    PROVING("making the proof"),
    SENDING("sending to the validators"),
    RENEWING("renewing the proof under newer rules"),
    DELIVERING("delivering through the mailbox"),
    READING_MAILBOX("reading the mailbox"),
    READING_OLD_MAIL("reading whole what is older than a day"),
    WALKING_CHAIN("looking for earlier transfers"),
    REDEEMING("asking for the payout"),
    WAITING("waiting for an approval");

    private final String text;

    Step(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
