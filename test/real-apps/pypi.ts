import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Tab } from '../browser/drivers/driver.ts';
import { serve } from '../browser/server.ts';
import {
  clickInFrame,
  serveBy,
  type Application,
  type Field,
  type Place,
  type Started,
} from './application.ts';
import { ARCHIVES, PYTHON, PYTHON_MODULES } from './install.ts';

/* Applications in Python, from PyPI. */

const PASSWORD = 'lovelace-1815';

const environment = ({ folder, data }: Place): NodeJS.ProcessEnv => ({
  PYTHONPATH: join(folder, PYTHON_MODULES),
  APPLICATION_DATA: data,
});

const COMMENT = '.isso-postbox .isso-textarea';
const SAVED_COMMENT = '#isso-root .isso-comment .isso-textarea';

/** A page with comments, which are on another origin, as in blogs. */
export const ISSO: Application = {
  title: 'isso',
  source: { pypi: ['isso==0.14.0'] },
  start: async (place) => {
    const { data, port, origin } = place;
    const pages = join(data, 'pages');
    mkdirSync(pages);
    writeFileSync(
      join(pages, 'index.html'),
      `<!doctype html><meta charset="utf-8"><title>A post</title><h1>A post</h1>
      <script data-isso="${origin}/" data-isso-css="true" src="${origin}/js/embed.min.js"></script>
      <section id="isso-thread"></section>`,
    );
    const server = await serve(pages);
    const settings = join(data, 'isso.cfg');
    writeFileSync(
      settings,
      `[general]\ndbpath = ${join(data, 'comments.db')}\nhost = ${server.origin}\n` +
        `[server]\nlisten = http://127.0.0.1:${port}\n[guard]\nenabled = false\n`,
    );
    const program = ['-c', 'from isso import main; main()', '-c', settings, 'run'];
    const started = await serveBy(PYTHON, program, port, { env: environment(place) });
    const end = async (): Promise<void> => {
      await started.end();
      await server.close();
    };
    return { origin: server.origin, end };
  },
  fields: [
    {
      title: 'comment',
      way: 'marked',
      compose: async (tab, origin) => {
        await tab.goto(`${origin}/`);
        await tab.waitFor(COMMENT);
      },
      selector: COMMENT,
      preview: async (tab) => {
        await tab.click('.isso-postbox [name=preview]');
        await tab.waitFor('.isso-preview .isso-text');
        await tab.click('.isso-postbox [name=edit]');
        await tab.waitFor(COMMENT);
      },
      save: async (tab) => {
        // "Save" of a comment has the place of "Edit".
        const isEdited = await tab.evaluate(
          (selector) => document.querySelector(selector) !== null,
          SAVED_COMMENT,
        );
        await tab.click(isEdited ? '#isso-root .isso-edit' : '.isso-postbox [type=submit]');
        await tab.waitFor('#isso-root .isso-edit');
      },
      edit: async (tab, origin) => {
        await tab.goto(`${origin}/`);
        await tab.click('#isso-root .isso-edit');
        await tab.waitFor(SAVED_COMMENT);
      },
      editSelector: SAVED_COMMENT,
      read: async (tab, origin) => {
        await tab.goto(`${origin}/`);
        await tab.waitFor('#isso-root .isso-comment');
      },
    },
  ],
};

const STREAMLIT_NOTES = `
import os, pathlib
import streamlit as st

data = pathlib.Path(os.environ["APPLICATION_DATA"])
note, lines = data / "note.txt", data / "lines.txt"
if "note" not in st.session_state:
    st.session_state.note = note.read_text() if note.exists() else ""
note.write_text(st.text_area("Note", key="note"))
if line := st.chat_input("Say something"):
    with lines.open("a") as file:
        file.write(line + "\\n")
for line in lines.read_text().splitlines() if lines.exists() else []:
    st.chat_message("user").write(line)
`;

const STREAMLIT_NOTE = '[data-testid=stTextArea] textarea';
/** Once its script has ended: until then fields are drawn anew. */
async function openStreamlit(tab: Tab, origin: string, selector: string): Promise<void> {
  await tab.goto(`${origin}/`);
  await tab.waitFor('[data-test-script-state=notRunning]');
  await tab.waitFor(selector);
}

const STREAMLIT_LINE = '[data-testid=stChatInputTextArea]';

export const STREAMLIT: Application = {
  title: 'Streamlit',
  source: { pypi: ['streamlit==1.67.0'] },
  start: async (place) => {
    const script = join(place.data, 'app.py');
    writeFileSync(script, STREAMLIT_NOTES);
    const options = [
      ...['--server.address', '127.0.0.1', '--server.port', String(place.port)],
      ...['--server.headless', 'true', '--browser.gatherUsageStats', 'false'],
      // Else it takes modules that are in no site-packages for its own source.
      ...['--global.developmentMode', 'false'],
    ];
    const program = ['-m', 'streamlit', 'run', script, ...options];
    return serveBy(PYTHON, program, place.port, { env: environment(place) });
  },
  fields: [
    {
      title: 'text area',
      way: 'marked',
      compose: (tab, origin) => openStreamlit(tab, origin, STREAMLIT_NOTE),
      selector: STREAMLIT_NOTE,
      save: (tab) => tab.press('Tab'),
      edit: (tab, origin) => openStreamlit(tab, origin, STREAMLIT_NOTE),
    },
    {
      title: 'chat line',
      way: 'marked',
      compose: (tab, origin) => openStreamlit(tab, origin, STREAMLIT_LINE),
      selector: STREAMLIT_LINE,
      save: async (tab) => {
        await tab.press('Enter');
        await tab.waitFor('[data-testid=stChatMessage]');
      },
      read: (tab, origin) => openStreamlit(tab, origin, '[data-testid=stChatMessage]'),
    },
  ],
};

/** A site of test/real-apps/django, with a user. */
function serveDjango(place: Place, settings: string): Promise<Started> {
  const site = resolve('test/real-apps/django');
  const { PYTHONPATH = '', ...common } = environment(place);
  const env = {
    ...common,
    PYTHONPATH: `${PYTHONPATH}:${site}`,
    PYTHONDONTWRITEBYTECODE: '1',
    DJANGO_SETTINGS_MODULE: settings,
    DJANGO_SUPERUSER_PASSWORD: PASSWORD,
    TRIX: join(place.folder, ARCHIVES, 'trix/dist'),
  };
  const django = ['-m', 'django'];
  const user = ['--noinput', '--username', 'ada', '--email', 'ada@localhost.localdomain'];
  for (const command of [
    ['migrate', '--run-syncdb'],
    ['createsuperuser', ...user],
  ]) {
    const options = { env: { ...process.env, ...env }, stdio: 'pipe' } as const;
    execFileSync(PYTHON, [...django, ...command], options);
  }
  const address = `127.0.0.1:${place.port}`;
  return serveBy(PYTHON, [...django, 'runserver', '--noreload', address], place.port, { env });
}

async function loginToAdmin(tab: Tab, origin: string, shown: string): Promise<void> {
  await tab.goto(`${origin}/admin/login/?next=/admin/`);
  await tab.type('[name=username]', 'ada');
  await tab.type('[name=password]', PASSWORD);
  await tab.click('[type=submit]');
  await tab.waitFor(shown);
}

/** A model of the admin with one field. */
function adminField(
  title: string,
  model: string,
  rest: Pick<Field, 'way' | 'selector'> & Partial<Field>,
): Field {
  const shown = async (tab: Tab, url: string): Promise<void> => {
    await tab.goto(url);
    await (rest.focus?.(tab) ?? tab.waitFor(rest.selector));
  };
  return {
    title,
    compose: (tab, origin) => shown(tab, `${origin}/admin/notes/${model}/add/`),
    save: async (tab) => {
      await tab.click('[name=_save]');
      await tab.waitFor('.messagelist .success');
    },
    edit: (tab, origin) => shown(tab, `${origin}/admin/notes/${model}/1/change/`),
    ...rest,
  };
}

export const DJANGO: Application = {
  title: 'Django admin',
  source: {
    pypi: [
      'django==5.2.19',
      'django-ckeditor-5==0.2.20',
      'django-summernote==0.8.20.0',
      'django-tinymce==5.0.0',
      'django-trix-editor==0.4.1',
    ],
    archives: ['trix@2.1.15'],
  },
  start: (place) => serveDjango(place, 'settings'),
  login: (tab, origin) => loginToAdmin(tab, origin, '#user-tools'),
  fields: [
    adminField('text field', 'plain', { way: 'marked', selector: '[name=note]' }),
    adminField('CKEditor 5', 'ckeditor', { way: 'window', selector: '.ck-editor__editable' }),
    adminField('TinyMCE 7', 'tinymce', {
      way: 'window',
      selector: '.tox-edit-area iframe',
      focus: (tab) => clickInFrame(tab, ['.tox-edit-area iframe'], 'body'),
    }),
    adminField('Summernote', 'summernote', {
      way: 'window',
      selector: 'iframe',
      focus: (tab) => clickInFrame(tab, ['iframe[id$=_iframe]'], '.note-editable'),
    }),
    adminField('Trix', 'trix', { way: 'window', selector: 'trix-editor' }),
  ],
};

const DRAFTAIL = '.public-DraftEditor-content';

export const WAGTAIL: Application = {
  title: 'Wagtail',
  source: { pypi: ['wagtail==8.0.1'] },
  start: (place) => serveDjango(place, 'wagtail_settings'),
  login: (tab, origin) => loginToAdmin(tab, origin, '.sidebar-menu-item__link'),
  fields: [
    {
      title: 'Draftail',
      way: 'window',
      compose: (tab, origin) => tab.goto(`${origin}/admin/snippets/wagtail_notes/note/add/`),
      selector: DRAFTAIL,
      save: async (tab) => {
        // Draftail gives its text to the form a moment after a change.
        await tab.waitUntil(
          (selector) => {
            const { value } = document.querySelector<HTMLInputElement>('input[name=text]')!;
            return value.includes(document.querySelector<HTMLElement>(selector)!.innerText.trim());
          },
          {},
          DRAFTAIL,
        );
        await tab.click('.action-save');
        await tab.waitFor('.messages .success');
      },
      edit: (tab, origin) => tab.goto(`${origin}/admin/snippets/wagtail_notes/note/edit/1/`),
    },
  ],
};
