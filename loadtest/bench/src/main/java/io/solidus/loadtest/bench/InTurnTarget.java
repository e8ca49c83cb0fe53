package io.solidus.loadtest.bench;

import java.util.List;

/** Sends each transfer to one authority, to all of them in turn. */
final class InTurnTarget implements Target<EncodedTransfer> {

  private final List<Target<EncodedTransfer>> authorities;
  private int next;

  InTurnTarget(List<AuthorityClient> authorities) {
    this.authorities =
        authorities.stream()
            .<Target<EncodedTransfer>>map(each -> new CommitteeTarget(List.of(each), 1))
            .toList();
  }

  @Override
  public void send(EncodedTransfer transfer, Answers answers) {
    authorities.get(next++ % authorities.size()).send(transfer, answers);
  }
}
