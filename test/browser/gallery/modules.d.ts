/* What of modules without types the fixtures use. */
declare module '*.css';

declare module '*.svelte' {
  import type { Component } from 'svelte';
  const component: Component<{ name: string; initial: string }, { value(): string }>;
  export default component;
}

declare module 'react' {
  export interface ReactElement {
    readonly type: unknown;
  }
  interface ChangeEvent {
    readonly target: HTMLInputElement | HTMLTextAreaElement;
  }
  interface FieldProps {
    readonly key?: number;
    readonly name?: string;
    readonly value: string;
    readonly onChange: (event: ChangeEvent) => void;
  }
  export function createElement(type: 'input' | 'textarea', props: FieldProps): ReactElement;
  export function createElement(
    type: 'p' | 'div',
    props: object,
    child: ReactElement,
  ): ReactElement;
  export function createElement<Props extends object>(
    type: (props: Props) => ReactElement,
    props?: Props,
    child?: ReactElement,
  ): ReactElement;
  export function useState<State>(initial: State): [State, (next: State) => void];
}

declare module 'react-dom/client' {
  import type { ReactElement } from 'react';
  export function createRoot(place: Element): { render(element: ReactElement): void };
}

declare module 'draft-js' {
  import type { ReactElement } from 'react';
  export class ContentState {
    static createFromText(text: string): ContentState;
    getPlainText(delimiter: string): string;
  }
  export class EditorState {
    static createWithContent(content: ContentState): EditorState;
    getCurrentContent(): ContentState;
  }
  export function Editor(props: {
    readonly editorState: EditorState;
    readonly onChange: (next: EditorState) => void;
  }): ReactElement;
}

declare module 'slate' {
  export interface Descendant {
    readonly type?: string;
    readonly text?: string;
    readonly children?: readonly Descendant[];
  }
  export interface Editor {
    readonly children: readonly Descendant[];
  }
  export function createEditor(): Editor;
  export const Node: { string(node: Descendant): string };
}

declare module 'slate-history' {
  import type { Editor } from 'slate';
  export function withHistory(editor: Editor): Editor;
}

declare module 'slate-react' {
  import type { ReactElement } from 'react';
  import type { Descendant, Editor } from 'slate';
  export function withReact(editor: Editor): Editor;
  export function Editable(props: object): ReactElement;
  export function Slate(props: {
    readonly editor: Editor;
    readonly initialValue: readonly Descendant[];
    readonly children?: ReactElement;
  }): ReactElement;
  export const ReactEditor: { focus(editor: Editor): void };
}

declare module 'htmx.org' {
  interface Request {
    readonly target: Element;
    readonly swap: 'innerHTML' | 'innerMorph';
    readonly values: object;
  }
  const htmx: { ajax(verb: 'POST', path: string, request: Request): Promise<void> };
  export default htmx;
}

declare module '@hotwired/turbo' {
  export function renderStreamMessage(message: string): void;
}
