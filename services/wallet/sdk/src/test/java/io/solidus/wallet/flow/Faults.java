package io.solidus.wallet.flow;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How the fake gateway misbehaves; nothing is wrong at first. */
final class Faults {
  /** So many transfers are signed and the answer is lost on its way. */
  volatile int lostReplies;

  /** So many transfers reach nobody. */
  volatile int lostRequests;

  /** The combined signature is of something else; the partials are good. */
  volatile boolean wrongCombined;

  /** Only so many partials come through, with a wrong combined signature. */
  volatile int partialsKept = Integer.MAX_VALUE;

  /** Mailbox posts fail. */
  volatile boolean mailboxDown;

  /** The desk for payouts does not answer. */
  volatile boolean redemptionDown;

  /** Every serial number is said to be unspent. */
  volatile boolean hidesSpentCoins;

  /** The states of coins cannot be asked. */
  volatile boolean coinStatesDown;

  /** What liars among the authorities make of what they know of a serial number, by their index. */
  final Map<Integer, BiFunction<SerialNumber, Optional<TransferRequest>, Optional<TransferRequest>>>
      lookUps = new ConcurrentHashMap<>();

  /** Where the gateway says that the other services are, or null for the truth. */
  volatile @Nullable URI services;

  volatile UnaryOperator<String> policyNote = note -> note;
  volatile UnaryOperator<String> checkpointNote = note -> note;
  volatile UnaryOperator<byte[]> list = list -> list;
  volatile UnaryOperator<byte[]> proof = proof -> proof;

  /** Sees every transfer as it arrives. */
  volatile @Nullable Consumer<TransferRequest> onTransfer;
}
