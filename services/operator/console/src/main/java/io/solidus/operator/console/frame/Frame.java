package io.solidus.operator.console.frame;

import io.solidus.operator.console.login.Person;
import io.solidus.operator.console.login.Persons;
import io.solidus.operator.console.login.ReturnPath;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** Gives every page who is logged in and her navigation. */
@ControllerAdvice
class Frame {
  private final ObjectProvider<ConsolePage> pages;
  private final Persons persons;

  Frame(ObjectProvider<ConsolePage> pages, Persons persons) {
    this.pages = pages;
    this.persons = persons;
  }

  /** A section of the navigation. */
  record Section(String title, List<NavEntry> entries) {}

  @ModelAttribute
  void frame(HttpServletRequest request, Model model) {
    Person me = persons.current().orElse(null);
    model.addAttribute("me", me);
    List<Section> nav = me == null ? List.of() : sections(me);
    model.addAttribute("nav", nav);
    model.addAttribute("here", request.getRequestURI());
    model.addAttribute("within", within(nav, request.getRequestURI()));
    if (me != null && ReturnPath.takeUnsent(request.getSession(false))) {
      model.addAttribute(
          "notice",
          new Notice(
              "Nothing was sent yet",
              "Your login had ended before you sent the form.",
              "Your entries are filled in again, except files. Check them and send them.",
              null,
              null));
    }
  }

  /**
   * The entry of which a page is a part: that with the longest beginning of its address. None when
   * the page has an entry of its own.
   */
  private static String within(List<Section> nav, String uri) {
    List<String> paths =
        nav.stream().flatMap(section -> section.entries().stream()).map(NavEntry::path).toList();
    if (paths.contains(uri)) {
      return "";
    }
    return paths.stream()
        .filter(path -> uri.startsWith(path + "/"))
        .max(Comparator.comparingInt(String::length))
        .orElse("");
  }

  private List<Section> sections(Person me) {
    Map<String, List<NavEntry>> sections = new LinkedHashMap<>();
    pages.stream()
        .flatMap(page -> page.navigation().stream())
        .filter(entry -> entry.isFor(me))
        .sorted(Comparator.comparingInt(NavEntry::order))
        .forEach(entry ->
            sections.computeIfAbsent(entry.section(), section -> new ArrayList<>()).add(entry));
    return sections.entrySet().stream()
        .map(section -> new Section(section.getKey(), section.getValue()))
        .toList();
  }
}
