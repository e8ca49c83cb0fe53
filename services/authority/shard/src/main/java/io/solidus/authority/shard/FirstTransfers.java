package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import java.util.List;
import java.util.Map;

/**
 * What happens with the first reservation of a transfer: its withdrawal counts, if floors let it.
 */
record FirstTransfers(WithdrawnMoney withdrawn, ShardFloors floors)
    implements SqlSpendStore.FirstTime<Transfer> {

  @Override
  public void count(List<SpendRequest<Transfer>> requests) {
    withdrawn.count(requests);
  }

  @Override
  public Map<TxCore, ProtocolException> refuse(List<SpendRequest<Transfer>> requests) {
    return floors.refuse(requests);
  }
}
