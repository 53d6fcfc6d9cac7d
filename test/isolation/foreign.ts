import { type IsolationFixture } from './isolation-fixture';

type Content = Readonly<Record<string, readonly unknown[]>>;
type Document = Record<string, unknown>;

/** Shorter texts are words that several workspaces share. */
const TELLING_CHARACTERS = 8;
const IDS = /[0-9a-f]{24}/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Ids and texts that belong to one workspace only, found in its records. */
export class Foreign {
  readonly #ids: ReadonlySet<string>;
  readonly #texts: readonly string[];

  constructor(content: Content, { workspaceId }: Pick<IsolationFixture, 'workspaceId'>) {
    const documents = Object.values(content).flat() as Document[];
    const [theirs, others] = [true, false].map((wanted) =>
      documents.filter((document) => belongsTo(document, workspaceId) === wanted),
    ) as [Document[], Document[]];
    const known = new Set(others.flatMap(textsIn));
    this.#ids = new Set(theirs.map(({ _id }) => String(_id)).filter((id) => id.length === 24));
    const texts = theirs.flatMap(textsIn).filter((text) => text.length >= TELLING_CHARACTERS && !TIME.test(text));
    this.#texts = [...new Set(texts)].filter((text) => !known.has(text) && text.match(IDS) === null);
  }

  get size(): number {
    return this.#ids.size + this.#texts.length;
  }

  /** Which of them a text contains, except those that the caller had sent before. */
  in(text: string, said = ''): string[] {
    const ids = (text.match(IDS) ?? []).filter((id) => this.#ids.has(id));
    return [...new Set([...ids, ...this.#texts.filter((one) => text.includes(one))])].filter(
      (one) => !said.includes(one),
    );
  }
}

/** The records of a workspace, by collection. */
export function listRecords(
  content: Content,
  { workspaceId }: Pick<IsolationFixture, 'workspaceId'>,
): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(content).map(([name, documents]) => [
      name,
      documents.filter((document) => belongsTo(document as Document, workspaceId)),
    ]),
  );
}

function belongsTo({ _id, workspaceId }: Document, id: string): boolean {
  return workspaceId === id || _id === id;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
