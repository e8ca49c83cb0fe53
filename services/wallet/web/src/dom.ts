// Elements without a framework. Texts become text nodes, so nothing that somebody sent is ever read as HTML.

export type Child = Node | string | undefined | false;

interface Attributes {
  readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void);
}

/** An element. A function is a listener, true an attribute without a value; false and undefined are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

export function svg(tag: string, attributes: Attributes, ...children: readonly Node[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

interface FieldOptions {
  readonly id: string;
  readonly label: string;
  readonly help?: string | undefined;
  readonly type?: string;
  readonly value?: string;
  readonly rows?: number;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly inputmode?: string;
}

export interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement | HTMLTextAreaElement;
  /** Shows what is wrong, and puts the cursor there; an empty text takes it away. */
  complain(text: string): void;
}

/** A field with its label, its help and a place for what is wrong. */
export function field({ id, label, help, type = 'text', value = '', rows, autocomplete = 'off', required = true, inputmode }: FieldOptions): Field {
  const wrong = h('p', { class: 'wrong', id: `${id}-wrong`, role: 'alert', hidden: true });
  const described = [help === undefined ? '' : `${id}-help`, `${id}-wrong`].join(' ').trim();
  const common = { id, name: id, autocomplete, autocapitalize: 'none', spellcheck: 'false', required, 'aria-describedby': described, inputmode };
  const input = rows === undefined ? h('input', { ...common, type }) : h('textarea', { ...common, rows });
  input.value = value;
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    help !== undefined && h('p', { class: 'help', id: `${id}-help` }, help),
    input,
    wrong,
  );
  const complain = (text: string): void => {
    wrong.textContent = text;
    wrong.hidden = text === '';
    input.toggleAttribute('aria-invalid', false);
    if (text === '') return;
    input.setAttribute('aria-invalid', 'true');
    input.focus();
  };
  return { element, input, complain };
}

/** A form that the page handles itself. */
export function form(submit: () => void, ...children: readonly Child[]): HTMLFormElement {
  const handle = (event: Event): void => {
    event.preventDefault();
    submit();
  };
  return h('form', { submit: handle, novalidate: true, autocomplete: 'off' }, ...children);
}

export const button = (label: string, click: () => void, kind: 'main' | 'plain' | 'danger' = 'main'): HTMLButtonElement =>
  h('button', { type: 'button', class: kind, click }, label);
