package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.platform.description.SchemaNames;
import io.solidus.wire.json.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The types that a service's calls take and answer, as its controllers declare them. */
final class ApiTypes {
  private static final String WALLETS = "/v1";

  private final Set<Class<?>> all = new LinkedHashSet<>();
  private final Set<Class<?>> taken = new LinkedHashSet<>();

  /** Reads the controllers in packages and below. */
  ApiTypes(List<String> packages) {
    ClassPathScanningCandidateComponentProvider scan =
        new ClassPathScanningCandidateComponentProvider(false);
    scan.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
    packages.stream()
        .flatMap(name -> scan.findCandidateComponents(name).stream())
        .map(BeanDefinition::getBeanClassName)
        .map(name -> ClassUtils.resolveClassName(String.valueOf(name), null))
        .forEach(this::read);
  }

  private void read(Class<?> controller) {
    for (Method method : controller.getDeclaredMethods()) {
      RequestMapping mapping =
          AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
      if (mapping == null) {
        continue;
      }
      reach(method.getGenericReturnType(), all);
      for (Parameter parameter : method.getParameters()) {
        if (parameter.isAnnotationPresent(RequestBody.class)) {
          reach(parameter.getParameterizedType(), all);
          if (isForWallets(controller, mapping)) {
            reach(parameter.getParameterizedType(), taken);
          }
        }
      }
    }
  }

  private static boolean isForWallets(Class<?> controller, RequestMapping method) {
    RequestMapping type =
        AnnotatedElementUtils.findMergedAnnotation(controller, RequestMapping.class);
    RequestMapping first = type != null && type.path().length > 0 ? type : method;
    return first.path().length > 0 && first.path()[0].startsWith(WALLETS);
  }

  private static void reach(Type type, Set<Class<?>> reached) {
    if (type instanceof ParameterizedType generic) {
      Arrays.stream(generic.getActualTypeArguments()).forEach(one -> reach(one, reached));
    } else if (type instanceof Class<?> one
        && one.getName().startsWith("io.solidus.")
        && reached.add(one)) {
      if (one.isRecord()) {
        Arrays.stream(one.getRecordComponents())
            .forEach(component -> reach(component.getGenericType(), reached));
      } else if (one.isSealed()) {
        Arrays.stream(one.getPermittedSubclasses()).forEach(sub -> reach(sub, reached));
      }
    }
  }

  /** Fails when one schema would stand for two types. */
  void haveNamesOfTheirOwn() {
    Map<String, Set<String>> names = new TreeMap<>();
    all.forEach(type ->
        names.computeIfAbsent(SchemaNames.of(type), any -> new TreeSet<>()).add(type.getName()));
    assertThat(names.values()).as("types that share a schema").allMatch(types -> types.size() == 1);
  }

  /** Fails when a member of a wallet's request does not say whether it is needed, or how long. */
  void sayWhatTheyTake() {
    List<String> silent = new ArrayList<>();
    for (Class<?> type : taken) {
      for (RecordComponent component :
          type.isRecord() ? type.getRecordComponents() : new RecordComponent[0]) {
        Member member = component.getAnnotation(Member.class);
        if (member == null || !isLimited(component.getType(), member)) {
          silent.add(type.getName() + "." + component.getName());
        }
      }
    }
    assertThat(silent).as("members without @Member or without a length").isEmpty();
  }

  private static boolean isLimited(Class<?> type, Member member) {
    if (type == String.class) {
      return member.bytes().length > 0 || member.hexBytes() > 0 || member.max() < Long.MAX_VALUE;
    }
    return type != List.class || member.max() < Long.MAX_VALUE;
  }
}
