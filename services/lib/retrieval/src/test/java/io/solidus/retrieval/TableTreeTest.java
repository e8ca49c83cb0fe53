package io.solidus.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TableTreeTest {
  /**
   * Known answers of RFC 6962's reference implementation, of which the records have all lengths.
   */
  private static final List<byte[]> RECORDS =
      Stream.of(
              "",
              "00",
              "10",
              "2021",
              "3031",
              "40414243",
              "5051525354555657",
              "606162636465666768696a6b6c6d6e6f")
          .map(hex -> HexFormat.of().parseHex(hex))
          .toList();

  private static final List<String> ROOTS =
      List.of(
          "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
          "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
          "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
          "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
          "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
          "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
          "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
          "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

  @Test
  void rootsAreThoseOfTheReference() {
    for (int records = 1; records <= 8; records++) {
      assertThat(TableTree.root(RECORDS.subList(0, records)))
          .isEqualTo(Digest32.fromHex(ROOTS.get(records - 1)));
    }
    assertThatThrownBy(() -> TableTree.root(List.of())).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aPathShowsItsRecordAtItsPlaceAndNoOther() {
    for (int records = 1; records <= 8; records++) {
      List<byte[]> table = RECORDS.subList(0, records);
      Digest32 root = TableTree.root(table);
      for (int index = 0; index < records; index++) {
        List<Digest32> path = TableTree.path(table, index);
        for (int claimed = -1; claimed <= records; claimed++) {
          for (byte[] record : table) {
            assertThat(TableTree.verifies(root, records, claimed, record, path))
                .isEqualTo(claimed == index && Arrays.equals(record, table.get(index)));
          }
        }
      }
    }
  }

  @Test
  void noOtherPathOrRootCounts() {
    Digest32 root = TableTree.root(RECORDS);
    byte[] record = RECORDS.get(5);
    List<Digest32> path = TableTree.path(RECORDS, 5);
    assertThat(TableTree.verifies(root, 8, 5, record, path)).isTrue();
    assertThat(TableTree.verifies(Digest32.sha256(), 8, 5, record, path)).isFalse();
    assertThat(TableTree.verifies(root, 8, 5, record, List.of())).isFalse();
    assertThat(TableTree.verifies(root, 8, 5, record, path.subList(0, 2))).isFalse();
    assertThat(TableTree.verifies(root, 8, 5, record, path.reversed())).isFalse();
    List<Digest32> longer = new ArrayList<>(path);
    longer.add(root);
    assertThat(TableTree.verifies(root, 8, 5, record, longer)).isFalse();
    // an inner node is no record
    byte[] inner = new byte[64];
    System.arraycopy(TableTree.root(RECORDS.subList(4, 5)).bytes(), 0, inner, 0, 32);
    System.arraycopy(TableTree.root(RECORDS.subList(5, 6)).bytes(), 0, inner, 32, 32);
    assertThat(TableTree.verifies(root, 4, 2, inner, path.subList(1, 3))).isFalse();
  }
}
