/*
 * What is to be seen. It knows nothing of keys, servers or sealing: it shows what it is told and
 * calls `actions` for what a person does.
 */
const element = (id) => document.getElementById(id);

const SYNC = {
  here: 'Only on this device',
  syncing: 'Syncing …',
  synced: 'Synced',
  offline: 'Offline. Your changes are kept here.',
  failed: 'Could not sync',
};

const SEALED = {
  NEEDS_KEY:
    'This note was sealed with a key that is not on this device yet. Restore a newer backup in Sealwright, then try again.',
  AUTH_FAILED:
    'This note does not open: it was changed on the way, or an older version was put in its place.',
};

/** How long a deletion can be taken back. */
const UNDO_MS = 15_000;

/** A note is saved after so long without typing. */
const SAVE_AFTER_MS = 400;

export class View {
  #actions;
  #notes = [];
  #shown = null;
  #pending = null;
  /** Texts on their way into the store: until they are there the notes hold older ones. */
  #saving = new Set();
  #timer;
  /** The note that was deleted last, and its text. */
  #removed = null;
  #removedTimer;

  constructor(actions) {
    this.#actions = actions;
    const clicks = {
      connect: () => actions.connect(),
      add: () => this.#add(),
      remove: () => this.#remove(),
      undo: () => this.#undo(),
      sync: () => actions.syncNow(),
      retry: () => actions.retry(),
      rotate: () => this.#rotate(),
      'keep-both': () => actions.keepBoth(this.#shown),
      'keep-other': () => this.#remove(),
      'keep-this': () => this.#keepThis(),
      'open-settings': () => this.#openSettings(),
    };
    for (const [id, work] of Object.entries(clicks)) element(id).addEventListener('click', work);
    element('search').addEventListener('input', () => this.#drawList());
    element('text').addEventListener('input', () => this.#typed());
    element('text').addEventListener('blur', () => this.#save());
    element('settings').addEventListener('submit', (event) => this.#saveSettings(event));
    for (const radio of document.getElementsByName('kind')) {
      radio.addEventListener('change', showServerFields);
    }
    addEventListener('keydown', (event) => this.#onKey(event));
    addEventListener('pagehide', () => this.#save());
  }

  showState(name, words) {
    document.body.dataset.state = name;
    element('gate-words').textContent = words;
    element('connect').hidden = name !== 'unconnected' && name !== 'locked';
    if (name === 'ready') this.#save();
    // No text stays in the page after locking.
    else this.#forgetRemoved();
  }

  /** Near what it is about: an open dialog covers the rest. */
  showTrouble(words) {
    const inSettings = element('settings').open;
    element('settings-trouble').textContent = inSettings ? words : '';
    const elsewhere = inSettings ? '' : words;
    element('trouble').textContent = element('gate-trouble').textContent = elsewhere;
  }

  showSync(name, why = '') {
    element('sync').dataset.sync = name;
    element('sync-words').textContent = SYNC[name];
    element('sync-why').textContent = why;
  }

  showSettings(settings) {
    const { kind = 'none', address = '', name = '', password = '' } = settings ?? {};
    document.querySelector(`[name=kind][value=${kind}]`).checked = true;
    for (const [id, value] of Object.entries({ address, name, password }))
      element(id).value = value;
    showServerFields();
  }

  showNotes(notes) {
    this.#notes = notes;
    this.#drawList();
    this.#drawNote();
  }

  edit(id) {
    this.#save();
    this.#shown = id;
    this.#drawList();
    this.#drawNote();
    if (!element('text').hidden) element('text').focus();
  }

  // ---------------------------------------------------------------- the list

  #drawList() {
    const wanted = element('search').value.trim().toLocaleLowerCase();
    const found = this.#notes.filter(({ text }) => text.toLocaleLowerCase().includes(wanted));
    element('list').replaceChildren(...found.map((note) => this.#row(note)));
    element('empty').hidden = found.length > 0;
    element('empty').textContent = wanted ? 'Nothing found.' : 'No notes yet.';
  }

  #row({ id, text, edited, conflictOf, trouble, waiting }) {
    const [title = '', ...lines] = text.split('\n').filter((line) => line.trim());
    const badge = trouble || waiting ? 'Sealed' : conflictOf ? 'Two versions' : '';
    const button = make('button', { type: 'button' });
    button.append(
      make('strong', { textContent: trouble ? 'A note that does not open' : title || 'New note' }),
      make('span', { className: 'excerpt', textContent: lines.join(' ') || dateOf(edited) }),
      ...(badge ? [make('span', { className: 'badge', textContent: badge })] : []),
    );
    button.addEventListener('click', () => this.edit(id));
    if (id === this.#shown) button.setAttribute('aria-current', 'true');
    const item = make('li');
    item.append(button);
    return item;
  }

  // ---------------------------------------------------------------- the note

  #drawNote() {
    const note = this.#notes.find(({ id }) => id === this.#shown);
    const area = element('text');
    const trouble = note?.trouble ?? note?.waiting?.code;
    element('nothing').hidden = note !== undefined;
    element('note-footer').hidden = !note;
    area.hidden = !note || note.trouble !== undefined;
    element('conflict').hidden = !note?.conflictOf;
    element('sealed').hidden = !trouble;
    if (!note) {
      area.value = '';
      return;
    }
    element('sealed-words').textContent = SEALED[trouble] ?? SEALED.AUTH_FAILED;
    element('edited').textContent = dateOf(note.edited);
    // Not under the fingers of somebody who is typing.
    const isOfThis = ({ id }) => id === this.#shown;
    const isTyped = this.#pending !== null || [...this.#saving].some(isOfThis);
    if (!isTyped && area.value !== note.text) area.value = note.text;
  }

  async #add() {
    element('search').value = '';
    // What is typed from now on is not the old note's, however long the new one takes.
    this.edit(null);
    await this.#actions.add();
  }

  #typed() {
    this.#pending = { id: this.#shown, text: element('text').value };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), SAVE_AFTER_MS);
  }

  /** What cannot be saved, because the vault was locked meanwhile, waits until it can. */
  async #save() {
    clearTimeout(this.#timer);
    const pending = this.#pending;
    this.#pending = null;
    if (!pending) return;
    this.#saving.add(pending);
    const isSaved = await this.#actions.write(pending.id, pending.text);
    this.#saving.delete(pending);
    if (!isSaved) this.#pending ??= pending;
  }

  async #leave(work) {
    const id = this.#shown;
    this.#pending = this.#shown = null;
    return work(id);
  }

  /** With what was typed last: it may not be saved yet. */
  async #remove() {
    const removed = { id: this.#shown, text: element('text').value };
    const isSealed = element('text').hidden;
    const isRemoved = await this.#leave(this.#actions.remove);
    if (!isSealed && isRemoved) this.#offerUndo(removed);
  }

  #offerUndo(removed) {
    this.#removed = removed;
    element('removed').hidden = false;
    clearTimeout(this.#removedTimer);
    this.#removedTimer = setTimeout(() => this.#forgetRemoved(), UNDO_MS);
    // The button that was pressed has gone.
    element('undo').focus();
  }

  async #undo() {
    const { id, text } = this.#removed;
    this.#forgetRemoved();
    await this.#actions.restore(id, text);
    this.edit(id);
  }

  #forgetRemoved() {
    clearTimeout(this.#removedTimer);
    this.#removed = null;
    element('removed').hidden = true;
  }

  /** The other version goes; this one is no copy of anything any more. */
  async #keepThis() {
    const { id, conflictOf } = this.#notes.find((note) => note.id === this.#shown);
    const other = this.#notes.find((note) => note.id === conflictOf);
    const isRemoved = await this.#actions.remove(conflictOf);
    await this.#actions.keepBoth(id);
    if (isRemoved && other && !other.trouble) this.#offerUndo({ id: conflictOf, text: other.text });
  }

  // ---------------------------------------------------------------- keyboard and settings

  #onKey(event) {
    if (element('settings').open || document.body.dataset.state !== 'ready') return;
    const isTyping = event.target.matches('input, textarea');
    if (event.ctrlKey && event.altKey && event.code === 'KeyN') this.#add();
    else if (event.key === '/' && !isTyping) element('search').focus();
    else if (event.key === 'Escape' && isTyping) event.target.blur();
    else if (event.key.startsWith('Arrow') && event.target.closest('#list')) this.#step(event.key);
    else return;
    event.preventDefault();
  }

  #step(key) {
    const item = document.activeElement.closest('li');
    const next = key === 'ArrowDown' ? item.nextElementSibling : item.previousElementSibling;
    next?.firstElementChild.focus();
  }

  #openSettings() {
    element('settings-trouble').textContent = element('rotated').textContent = '';
    element('settings').showModal();
  }

  /** The dialog stays open until the server is chosen: it says why not. */
  async #saveSettings(event) {
    if (event.submitter?.value !== 'save') return;
    event.preventDefault();
    const kind = document.querySelector('[name=kind]:checked').value;
    const [address, name, password] = ['address', 'name', 'password'].map(
      (id) => element(id).value,
    );
    const server = kind === 'none' ? null : { kind, address, name, password };
    element('save-settings').disabled = true;
    const isChosen = await this.#actions.chooseServer(server);
    element('save-settings').disabled = false;
    if (isChosen) element('settings').close();
  }

  async #rotate() {
    element('rotated').textContent = '';
    if (await this.#actions.rotate()) {
      element('rotated').textContent = 'Your notes are sealed under the new key.';
    }
  }
}

function showServerFields() {
  const isNone = document.querySelector('[name=kind]:checked').value === 'none';
  element('server').hidden = isNone;
  element('address').required = element('name').required = !isNone;
}

function make(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}

function dateOf(time) {
  if (!time) return '';
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
