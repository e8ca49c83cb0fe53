package io.solidus.authority.spend;

/** Checks a new core against the rules in force, before anything is spent on it. */
@FunctionalInterface
public interface AdmissionCheck<R> {

  /**
   * Returns when the request is admitted.
   *
   * @param holdsLead whether this shard holds the lead serial number for the core: it was admitted
   *     before it was reserved
   * @throws io.solidus.protocol.ProtocolException naming the rule that the request breaks
   */
  void require(SpendRequest<R> request, boolean holdsLead);
}
