package io.solidus.wallet.cli;

import io.solidus.protocol.Address;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.wallet.ReadRequest;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.Contact;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code contacts}, which lists them, and its subcommands. */
@Command(
    name = "contacts",
    description = {
      "Lists, adds and removes contacts. They are in the wallet's encrypted file only: the words do"
          + " not bring them back.",
      "Asks for a name, because other programs can read arguments."
    })
final class ContactsCommand extends OpenWalletCommand {
  private static final String QUESTION = "Name of the contact";

  private ContactsCommand(WalletCommand top) {
    super(top);
  }

  static CommandLine withSubcommands(WalletCommand top) {
    return new CommandLine(new ContactsCommand(top))
        .addSubcommand(new AllContacts(top))
        .addSubcommand(new AddContact(top))
        .addSubcommand(new RemoveContact(top));
  }

  @Override
  Result run(Wallet wallet) {
    return list(wallet);
  }

  private static Result list(Wallet wallet) {
    List<Contact> contacts = wallet.contacts();
    String text =
        contacts.stream().map(contact -> line(wallet, contact)).collect(Collectors.joining("\n"));
    return Result.done(
        Map.of("contacts", contacts.stream().map(contact -> json(wallet, contact)).toList()),
        text.isEmpty() ? "No contacts yet." : text);
  }

  private static String line(Wallet wallet, Contact contact) {
    return contact.name()
        + "\n  "
        + contact.address().encode(wallet.profile().network())
        + (contact.requestKey() == null ? "" : "\n  signs with " + contact.requestKey().hex());
  }

  private static Map<String, Object> json(Wallet wallet, Contact contact) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", contact.name());
    json.put("address", contact.address().encode(wallet.profile().network()));
    if (contact.requestKey() != null) {
      json.put("requestKey", contact.requestKey().hex());
    }
    return json;
  }

  /** The command {@code contacts list}. */
  @Command(name = "list", description = "Lists the contacts by name.")
  private static final class AllContacts extends OpenWalletCommand {
    AllContacts(WalletCommand top) {
      super(top);
    }

    @Override
    Result run(Wallet wallet) {
      return list(wallet);
    }
  }

  /** The command {@code contacts add}. */
  @Command(
      name = "add",
      description = {
        "Adds a contact with an address, or with the address and key of a signed payment request.",
        "Take both from the contact in person or by a call: a link or a picture may be somebody"
            + " else's."
      })
  private static final class AddContact extends OpenWalletCommand {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "PAYEE", description = "an address or a request")
    private String payee = "";

    @Option(
        names = "--key",
        paramLabel = "KEY",
        description = "the key of the contact's payment requests, 64 hex digits")
    private @Nullable String key;

    AddContact(WalletCommand top) {
      super(top);
    }

    @Override
    Result run(Wallet wallet) {
      ReadRequest read = wallet.readRequest(payee);
      Address address = read.request().payee();
      Contact contact =
          new Contact(
              new Answers(top.terminal(), spec).ask(QUESTION),
              address,
              key == null ? read.signer() : parsed(key));
      wallet.addContact(contact);
      return Result.done(json(wallet, contact), "Added:\n" + line(wallet, contact));
    }

    private Ed25519PublicKey parsed(String hex) {
      try {
        return new Ed25519PublicKey(HexFormat.of().parseHex(hex));
      } catch (IllegalArgumentException e) {
        throw new CommandLine.ParameterException(
            spec.commandLine(), "--key is not 64 hexadecimal digits", e);
      }
    }
  }

  /** The command {@code contacts remove}. */
  @Command(name = "remove", description = "Removes a contact.")
  private static final class RemoveContact extends OpenWalletCommand {
    @Spec private CommandSpec spec = CommandSpec.create();

    RemoveContact(WalletCommand top) {
      super(top);
    }

    @Override
    Result run(Wallet wallet) {
      wallet.removeContact(new Answers(top.terminal(), spec).ask(QUESTION));
      return Result.done(Map.of("removed", true), "Removed.");
    }
  }
}
