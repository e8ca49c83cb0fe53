package io.solidus.wallet.session;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.RecoverTerms;
import io.solidus.wallet.transfer.BelowList;
import io.solidus.wallet.transfer.OwnRecover;
import io.solidus.wallet.trust.Rules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recover of this wallet that authorities show. A lying one may have spoilt what it shows, so all
 * are kept that differ.
 *
 * @param variants with different evidence, its own or that of a request below it; those that verify
 *     come first
 */
record ShownRecover(List<OwnRecover> variants) {
  /** The requests of one core that are kept: a liar may show any number of them. */
  static final int MAX_VARIANTS = 16;

  ShownRecover {
    variants = List.copyOf(variants);
    if (variants.isEmpty() || variants.size() > MAX_VARIANTS) {
      throw new IllegalArgumentException("a shown recover has 1 to 16 requests");
    }
  }

  /** What is known of evidence. Requests of one core are tried in this order. */
  enum Level {
    RIGHT,
    /** Under rules that the wallet does not have. */
    UNKNOWN,
    SPOILT
  }

  /** What the variants have in common, with one evidence. */
  OwnRecover recover() {
    return variants.getFirst();
  }

  TxCore core() {
    return recover().core();
  }

  /** The wallet's own among recovers that were shown for a lead, the one with most below first. */
  static List<ShownRecover> of(
      WalletSession session, SerialNumber lead, List<RecoverRequest> shown) {
    Map<TxCore, List<OwnRecover>> own = new LinkedHashMap<>();
    shown.stream()
        .distinct()
        .flatMap(request -> session.recovers().reopen(request).stream())
        .filter(recover -> recover.own().lead().equals(lead))
        .forEach(
            recover -> own.computeIfAbsent(recover.core(), core -> new ArrayList<>()).add(recover));
    return own.values().stream()
        .map(variants -> rightFirst(session, variants))
        .sorted(
            Comparator.comparingInt((ShownRecover one) -> -one.recover().own().below().size())
                .thenComparing(one -> one.core().hex()))
        .toList();
  }

  /** A single one is tried as it is. */
  private static ShownRecover rightFirst(WalletSession session, List<OwnRecover> variants) {
    if (variants.size() == 1) {
      return new ShownRecover(variants);
    }
    Map<OwnRecover, Level> levels = new LinkedHashMap<>();
    variants.forEach(variant -> levels.put(variant, level(session, variant, null)));
    return new ShownRecover(
        variants.stream()
            .sorted(Comparator.comparing((OwnRecover variant) -> levels.get(variant)))
            .limit(MAX_VARIANTS)
            .toList());
  }

  /**
   * What a recover's evidence is worth, with that of every request below it.
   *
   * @param rules the newest; null where proofs are not verified
   */
  static Level level(WalletSession session, OwnRecover recover, @Nullable Rules rules) {
    List<RecoverTerms> terms = new ArrayList<>();
    boolean verifiable = rules != null;
    for (BelowList.Entry entry : recover.own().requests()) {
      switch (entry.request()) {
        case TransferBelow transfer -> {
          Evidence evidence = transfer.evidence();
          if (!signed(session, evidence.rk(), entry.core(), evidence.rkSignature())) {
            return Level.SPOILT;
          }
          verifiable &= rules != null && isUnder(evidence, rules);
          if (verifiable && rules != null) {
            terms.add(new RecoverTerms(rules.limits(), rules.tree().root()));
          }
        }
        case RecoverBelow below -> {
          RecoverEvidence evidence = below.evidence();
          if (!signed(session, evidence.rk(), entry.core(), evidence.rkSignature())) {
            return Level.SPOILT;
          }
        }
      }
    }
    if (!verifiable) {
      return Level.UNKNOWN;
    }
    NativeErrorCode verdict =
        session.platform().proofCheck().verifyRecover(recover.request(), recover.core(), terms);
    return verdict == NativeErrorCode.OK ? Level.RIGHT : Level.SPOILT;
  }

  private static boolean isUnder(Evidence evidence, Rules rules) {
    return evidence.policyVersion() == rules.policy().version()
        && evidence.checkpointVersion() == rules.checkpoint().version();
  }

  private static boolean signed(
      WalletSession session, KeyPoint rk, TxCore core, byte[] rkSignature) {
    return session.platform().suite().verifyCore(rk, core, rkSignature);
  }
}
