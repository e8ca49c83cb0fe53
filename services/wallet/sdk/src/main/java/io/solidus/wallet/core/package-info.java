/**
 * A host of the wallet's core without input and output (page 6, "The core and its host"): step,
 * keep, perform. {@link io.solidus.wallet.core.CoreHost} is the loop; storage, HTTP, proofs and
 * time are interfaces, of which this library has implementations and an application may have its
 * own.
 *
 * <pre>{@code
 * try (CoreFile file = CoreFile.open(path, keyOfTheMachine)) {
 *   Exchanges exchanges = new CoreExchanges(http, gateway, services, null);
 *   CoreHost host = CoreHost.open(
 *       new HostParts(file, new CorePages(folder), exchanges, prover::prove));
 *   host.resume(); // what the last process left
 *   CoreResult paid = host.run(CoreCommand.pay("invoice 17", address, amount, "books"));
 * }
 * }</pre>
 */
@NullMarked
package io.solidus.wallet.core;

import org.jspecify.annotations.NullMarked;
