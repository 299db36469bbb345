/* As much of a DOM as the finder reads, from HTML that programs made: well-formed, or without end tags of void elements. */

/** A node; `nodeType` is 1 or 3. */
class FakeNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly data: string;
  readonly attributes: string;
  readonly children: FakeNode[] = [];
  parentNode: FakeNode | null = null;
  nextSibling: FakeNode | null = null;

  constructor(what: { readonly name: string; readonly attributes: string } | string) {
    const isText = typeof what === 'string';
    this.nodeType = isText ? 3 : 1;
    this.localName = isText ? '' : what.name;
    this.data = isText ? what : '';
    this.attributes = isText ? '' : what.attributes;
  }

  get parentElement(): FakeNode | null {
    return this.parentNode;
  }

  get firstChild(): FakeNode | null {
    return this.children[0] ?? null;
  }

  get ownerDocument() {
    return { createTreeWalker: (root: FakeNode) => new Walker(root) };
  }

  get shadowRoot(): null {
    return null;
  }

  getAttribute(name: string): string | null {
    return new RegExp(`\\s${name}="([^"]*)"`).exec(this.attributes)?.[1] ?? null;
  }

  append(node: FakeNode): void {
    node.parentNode = this;
    const last = this.children.at(-1);
    if (last) last.nextSibling = node;
    this.children.push(node);
  }
}

class Walker {
  readonly #root: FakeNode;
  currentNode: FakeNode;

  constructor(root: FakeNode) {
    this.#root = root;
    this.currentNode = root;
  }

  nextNode(): FakeNode | null {
    const child = this.currentNode.firstChild;
    if (child) return (this.currentNode = child);
    for (let node: FakeNode | null = this.currentNode; node; node = node.parentNode) {
      if (node === this.#root) return null;
      if (node.nextSibling) return (this.currentNode = node.nextSibling);
    }
    return null;
  }

  nextSibling(): FakeNode | null {
    const { nextSibling } = this.currentNode;
    if (nextSibling) this.currentNode = nextSibling;
    return nextSibling;
  }

  parentNode(): FakeNode | null {
    const { parentNode } = this.currentNode;
    if (!parentNode || parentNode === this.#root) return null;
    return (this.currentNode = parentNode);
  }
}

const VOID = new Set(['br', 'hr', 'img', 'wbr', 'input']);
const TOKEN = /<!--.*?-->|<(\/?)([a-z][\w-]*)([^>]*?)\/?>|([^<]+|<)/gis;
const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  times: '×',
  shy: '\u00ad',
  thinsp: '\u2009',
};

/** The nodes of some HTML, below an element. */
export function pageOf(html: string): Node {
  const root = new FakeNode({ name: 'div', attributes: '' });
  let parent = root;
  for (const [, end, name, attributes, text] of html.matchAll(TOKEN)) {
    if (text !== undefined) parent.append(new FakeNode(decoded(text)));
    else if (end) parent = closed(parent, name!.toLowerCase());
    else if (name !== undefined) {
      const element = new FakeNode({ name: name.toLowerCase(), attributes: attributes ?? '' });
      parent.append(element);
      if (!VOID.has(element.localName)) parent = element;
    }
  }
  return root as unknown as Node;
}

/** Elements that end inside the one that ends begin anew after it (HTML, "adoption agency algorithm", in short). */
function closed(current: FakeNode, name: string): FakeNode {
  const inner: FakeNode[] = [];
  for (let node = current; node.parentNode; node = node.parentNode) {
    if (node.localName === name) return reopened(node.parentNode, inner.reverse());
    inner.push(node);
  }
  return current;
}

function reopened(parent: FakeNode, elements: readonly FakeNode[]): FakeNode {
  let last = parent;
  for (const { localName, attributes } of elements) {
    const again = new FakeNode({ name: localName, attributes });
    last.append(again);
    last = again;
  }
  return last;
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (all, hex: string, decimal: string, name: string) => {
      if (name) return NAMED[name] ?? all;
      return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
    },
  );
}
