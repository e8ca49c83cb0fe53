package io.solidus.wallet.session;

/**
 * Told what a wallet is about to do, for whoever waits for it. Called on the wallet's own thread.
 */
@FunctionalInterface
public interface Progress {
  Progress NONE = step -> {};

  void at(Step step);

  /** What takes time. */
  enum Step {
    FETCHING_RULES("fetching policy and sanction list"),
    PROVING("making the proof"),
    SENDING("sending to the validators"),
    RENEWING("renewing the proof under newer rules"),
    DELIVERING("delivering through the mailbox"),
    READING_MAILBOX("reading the mailbox"),
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
