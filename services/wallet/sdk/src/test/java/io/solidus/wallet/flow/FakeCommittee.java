package io.solidus.wallet.flow;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.Suite;
import io.solidus.wallet.proving.ProofCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Four authorities and an honest gateway's way of asking them. */
final class FakeCommittee {
  private static final int QUORUM = 3;

  private final List<FakeAuthority> authorities;
  private final Suite suite = new Suite(TestKeys.NETWORK);

  FakeCommittee(FakeRules rules, ProofCheck check) {
    authorities =
        TestKeys.get().shares.stream()
            .map(share -> new FakeAuthority(share.index(), share, rules, check))
            .toList();
  }

  /** What an honest gateway answers. */
  record Certificate(List<PartialSignature> partials, List<G1Point> combined) {}

  FakeAuthority authority(int index) {
    return authorities.get(index - 1);
  }

  Certificate submit(TransferRequest request) {
    TransferStatement statement = request.statement();
    return collect(
        statement.outputs(),
        statement.inputDigest(TestKeys.NETWORK),
        authority -> authority.submit(request));
  }

  Certificate sign(BlindedCoin coin, InputDigest d) {
    return collect(List.of(coin), d, authority -> authority.sign(List.of(coin), d));
  }

  /** The request that some authority stored. */
  Optional<TransferRequest> stored(SerialNumber lead) {
    return authorities.stream()
        .filter(FakeAuthority::isUp)
        .flatMap(authority -> authority.stored(lead).stream())
        .findFirst();
  }

  /** What each authority that is up knows of a lead serial number. */
  Map<Integer, Optional<TransferRequest>> lookUp(SerialNumber lead) {
    Map<Integer, Optional<TransferRequest>> words = new LinkedHashMap<>();
    authorities.stream()
        .filter(FakeAuthority::isUp)
        .forEach(authority -> words.put(authority.index(), authority.stored(lead)));
    return words;
  }

  /** Checks nothing: what the wallets do about a lying authority is theirs to show. */
  private Certificate collect(
      List<BlindedCoin> outputs,
      InputDigest d,
      Function<FakeAuthority, PartialSignature> question) {
    List<PartialSignature> partials = new ArrayList<>();
    List<ProtocolException> refusals = new ArrayList<>();
    for (FakeAuthority authority : authorities) {
      if (authority.isUp()) {
        try {
          partials.add(question.apply(authority));
        } catch (ProtocolException e) {
          refusals.add(e);
        }
      }
    }
    if (partials.size() < QUORUM) {
      throw majority(refusals);
    }
    return new Certificate(partials, combine(outputs, partials));
  }

  private List<G1Point> combine(List<BlindedCoin> outputs, List<PartialSignature> partials) {
    List<G1Point> combined = new ArrayList<>();
    for (int j = 0; j < outputs.size(); j++) {
      Map<Integer, G1Point> points = new LinkedHashMap<>();
      for (PartialSignature partial : partials.subList(0, QUORUM)) {
        points.put(partial.authority(), partial.points().get(j));
      }
      combined.add(suite.combine(TestKeys.get().keys.committee(), points));
    }
    return combined;
  }

  private static ProtocolException majority(List<ProtocolException> refusals) {
    Map<RejectionCode, Long> votes =
        refusals.stream()
            .collect(Collectors.groupingBy(ProtocolException::code, Collectors.counting()));
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() >= 2)
        .findFirst()
        .map(vote ->
            new ProtocolException(vote.getKey(), "said " + vote.getValue() + " authorities"))
        .orElseGet(
            () -> new ProtocolException(RejectionCode.NO_QUORUM, "too few authorities answered"));
  }
}
