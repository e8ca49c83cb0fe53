package io.solidus.operator.issuance.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;

/** An element of a valid document, read by the local names of its children. */
record Node(Element element) {

  List<Node> children() {
    List<Node> found = new ArrayList<>();
    for (org.w3c.dom.Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element child) {
        found.add(new Node(child));
      }
    }
    return found;
  }

  List<Node> all(String name) {
    return children().stream().filter(node -> node.is(name)).toList();
  }

  boolean is(String name) {
    return name.equals(element.getLocalName());
  }

  /** The first descendant on a path such as {@code Acct/Id/IBAN}. */
  Optional<Node> find(String path) {
    Node at = this;
    for (String name : path.split("/", -1)) {
      Optional<Node> next = at.children().stream().filter(node -> node.is(name)).findFirst();
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get();
    }
    return Optional.of(at);
  }

  /** The text at a path, without surrounding spaces; empty when nothing is there. */
  Optional<String> text(String path) {
    return find(path).map(Node::text).filter(text -> !text.isEmpty());
  }

  String text() {
    return element.getTextContent().strip();
  }

  /** The text at the first of some paths that has one. */
  Optional<String> firstText(String... paths) {
    for (String path : paths) {
      Optional<String> text = text(path);
      if (text.isPresent()) {
        return text;
      }
    }
    return Optional.empty();
  }

  String attribute(String name) {
    return element.getAttribute(name);
  }
}
