import type { InsertOutcome } from '../../../extension/fields/insert/field.ts';

/** An editor of the gallery: a page of its own, NAME.html. */
export interface Fixture {
  readonly name: string;
  /** As docs/fields.md calls it. */
  readonly title: string;
  /** The file in editors/ that has it, and its function there. */
  readonly file: string;
  readonly mount: string;
  /** The address of the frame that it is in, in part. */
  readonly frame?: string;
  /** Files of the editors of scripts/test-data.mjs that its page loads, as that of an application without a bundler. */
  readonly files?: readonly string[];
}

const fixture = (name: string, title: string, file: string, mount = 'mount'): Fixture => ({
  name,
  title,
  file,
  mount,
});

const packaged = (name: string, title: string, files: readonly string[]): Fixture => ({
  ...fixture(name, title, `packaged/${name}.ts`),
  files,
});

/** Fields that their framework draws anew while the user types. */
export const REDRAWN: readonly Fixture[] = ['react', 'vue', 'angular', 'htmx', 'turbo'].map(
  (name) => fixture(`${name}-redrawn`, name, `${name}.ts`, 'mountRedrawn'),
);

/** Where sealed text is to go in, be undone, and come back after a reload. */
export const FIXTURES: readonly Fixture[] = [
  fixture('input', '`<input>`', 'plain.ts', 'mountInput'),
  fixture('textarea', '`<textarea>`', 'plain.ts', 'mountTextarea'),
  fixture('editable', '`contenteditable`', 'plain.ts', 'mountEditable'),
  fixture('open-shadow', '`contenteditable` in an open shadow root', 'plain.ts', 'mountOpenShadow'),
  fixture(
    'closed-shadow',
    '`contenteditable` in a closed shadow root',
    'plain.ts',
    'mountClosedShadow',
  ),
  fixture(
    'deep-shadow',
    '`<textarea>` in a shadow root in a closed one',
    'plain.ts',
    'mountDeepShadow',
  ),
  fixture('react-input', 'React 18, controlled `<input>`', 'react.ts', 'mountInput'),
  fixture('react-textarea', 'React 18, controlled `<textarea>`', 'react.ts', 'mountTextarea'),
  fixture('vue-input', 'Vue 3, `v-model` on `<input>`', 'vue.ts', 'mountInput'),
  fixture('vue-textarea', 'Vue 3, `v-model` on `<textarea>`', 'vue.ts', 'mountTextarea'),
  fixture('angular-input', 'Angular 20, form control of `<input>`', 'angular.ts', 'mountInput'),
  fixture(
    ...(['angular-textarea', 'Angular 20, form control of `<textarea>`', 'angular.ts'] as const),
    'mountTextarea',
  ),
  fixture('svelte-input', 'Svelte 5, `bind:value` of `<input>`', 'svelte.ts', 'mountInput'),
  fixture(
    'svelte-textarea',
    'Svelte 5, `bind:value` of `<textarea>`',
    'svelte.ts',
    'mountTextarea',
  ),
  fixture('codemirror', 'CodeMirror 6', 'codemirror.ts'),
  fixture('monaco', 'Monaco', 'monaco.ts'),
  fixture('prosemirror', 'ProseMirror', 'prosemirror.ts'),
  fixture('tiptap', 'Tiptap 3', 'prosemirror.ts', 'mountTiptap'),
  fixture('quill', 'Quill 2', 'quill.ts'),
  fixture('lexical', 'Lexical', 'lexical.ts'),
  fixture('draft', 'Draft.js', 'draft.ts'),
  fixture('slate', 'Slate', 'slate.ts'),
  packaged('tinymce', 'TinyMCE 7', ['tinymce/tinymce.min.js']),
  packaged('ckeditor4', 'CKEditor 4', ['ckeditor4/ckeditor.js']),
  packaged('ckeditor5', 'CKEditor 5', ['ckeditor5/build/ckeditor.js']),
  packaged('codemirror5', 'CodeMirror 5', [
    ...['codemirror/lib/codemirror.js', 'codemirror/lib/codemirror.css'],
  ]),
  packaged('ace', 'Ace', ['ace/src-min-noconflict/ace.js']),
  packaged('trix', 'Trix', ['trix/dist/trix.umd.min.js', 'trix/dist/trix.css']),
  packaged('summernote', 'Summernote', [
    ...['jquery/dist/jquery.js', 'summernote/dist/summernote-lite.js'],
    'summernote/dist/summernote-lite.css',
  ]),
  fixture('late', '`contenteditable` that takes a paste a moment later', 'plain.ts', 'mountLate'),
  {
    ...fixture(
      'frame',
      '`<textarea>` in a frame of the same origin',
      'frames.ts',
      'mountSameOrigin',
    ),
    frame: 'framed.html',
  },
  {
    ...fixture(
      'other-frame',
      '`<textarea>` in a frame of another origin',
      'frames.ts',
      'mountOtherOrigin',
    ),
    frame: 'framed.html',
  },
];

/** What the frames show. */
export const FRAMED = fixture('framed', 'the page of a frame', 'plain.ts', 'mountTextarea');

/** A field that cannot take a sealed text, and what is said of it. */
export interface Resisting extends Fixture {
  readonly outcome: InsertOutcome;
  /** What it holds then, if it is not its former text. */
  readonly left?: RegExp;
}

/** What the fields hold before. */
export const BEFORE = 'What was there';

const refusal = (
  reason: Extract<InsertOutcome, { inserted: false }>['reason'],
  limit?: number,
): InsertOutcome => ({
  inserted: false,
  reason,
  ...(limit !== undefined && { limit }),
});

/** Where it cannot go in: the text that was there stays, and the outcome says why. */
export const RESISTING: readonly Resisting[] = [
  {
    ...fixture('stubborn', 'restores its own text', 'resisting.ts', 'mountStubborn'),
    outcome: refusal('refused'),
  },
  {
    ...fixture('deaf', 'accepts only key strokes', 'resisting.ts', 'mountDeaf'),
    outcome: refusal('refused'),
  },
  {
    ...fixture(
      'altering',
      'takes another text, and does not undo',
      'resisting.ts',
      'mountAltering',
    ),
    outcome: { ...refusal('altered'), former: BEFORE } as InsertOutcome,
    left: /^sw1\..{5}$/,
  },
  {
    ...fixture('short', 'has a `maxlength`', 'resisting.ts', 'mountShort'),
    outcome: refusal('too-long', 40),
  },
  {
    ...fixture('cutting', 'is cut to 20 characters by its script', 'react.ts', 'mountCutting'),
    outcome: refusal('too-long', 20),
  },
  {
    ...fixture('read-only', 'is `readonly`', 'resisting.ts', 'mountReadOnly'),
    outcome: refusal('read-only'),
  },
];
