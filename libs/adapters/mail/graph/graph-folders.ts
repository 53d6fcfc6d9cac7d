import { type FolderRole, type MailFolder } from '../port/folder';
import { type GraphClient } from './graph.client';
import { parseFolderName, findFolder } from '../port/folder-name';
import { GraphError, isFolderThere, isGraphNotFound } from './graph.errors';
import { getQuery } from './graph-links';

/** Graph's names for folders that every mailbox has. `inferenceClassification` (Focused, Other) is no folder. */
export const WELL_KNOWN = {
  inbox: 'inbox',
  junk: 'junkemail',
  sent: 'sentitems',
  drafts: 'drafts',
  trash: 'deleteditems',
  archive: 'archive',
} as const satisfies Partial<Record<FolderRole, string>>;

export type WellKnownRole = keyof typeof WELL_KNOWN;

const ROLES = Object.keys(WELL_KNOWN) as WellKnownRole[];

const PAGE = 100;
/** Maximum pages of a level and maximum levels; further folders are not listed. */
const MAX_PAGES = 20;
const MAX_DEPTH = 10;

interface GraphFolder {
  readonly id: string;
  readonly displayName?: string;
  readonly childFolderCount?: number;
}

export function isWellKnown(role: FolderRole): role is WellKnownRole {
  return Object.hasOwn(WELL_KNOWN, role);
}

/** The folders of a mailbox. The well-known ones are looked up once: their ids never change. */
export class GraphFolders {
  readonly #ids = new Map<WellKnownRole, string | null>();

  constructor(private readonly client: GraphClient) {}

  /** @returns null when the mailbox has no such folder (the archive is created on first use) */
  async idOf(role: WellKnownRole, signal?: AbortSignal): Promise<string | null> {
    const known = this.#ids.get(role);
    if (known !== undefined) return known;
    const found = await this.#findWellKnown(role, signal);
    if (found !== null) this.#ids.set(role, found);
    return found;
  }

  /** Role of a folder; null for any other than the well-known ones. */
  async roleOf(id: string, signal?: AbortSignal): Promise<WellKnownRole | null> {
    const ids = await Promise.all(ROLES.map((role) => this.idOf(role, signal)));
    return ROLES[ids.indexOf(id)] ?? null;
  }

  async list(): Promise<readonly MailFolder[]> {
    await Promise.all(ROLES.map((role) => this.idOf(role)));
    const roles = new Map([...this.#ids].map(([role, id]) => [id, role]));
    const folders: MailFolder[] = [];
    let parents: (GraphFolder | null)[] = [null];
    for (let depth = 0; depth < MAX_DEPTH && parents.length > 0; depth++) {
      const levels = await Promise.all(parents.map((parent) => this.#children(parent)));
      const level = levels.flat();
      folders.push(...findNamed(level).map((folder) => ({ ...folder, role: roles.get(folder.id) ?? null })));
      parents = level.filter(({ childFolderCount = 0 }) => childFolderCount > 0);
    }
    return folders;
  }

  /** The top-level folder with this name, created if it is missing. */
  async ensure(input: string): Promise<MailFolder> {
    const name = parseFolderName(input, null);
    return (await this.#topLevel(name)) ?? this.#create(name);
  }

  async #create(name: string): Promise<MailFolder> {
    try {
      // A repeated request is harmless: Graph refuses it because the folder exists.
      const { body } = await this.client.json<Partial<GraphFolder> | null>({
        method: 'POST',
        path: '/me/mailFolders',
        command: 'POST /mailFolders',
        repeatable: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ displayName: name }),
      });
      if (body?.id) return { id: body.id, name: body.displayName ?? name, role: null };
    } catch (error) {
      const other = isFolderThere(error) ? await this.#topLevel(name) : null;
      if (other) return other;
      throw error;
    }
    const message = 'Microsoft Graph made a folder without an id';
    throw new GraphError({ failure: 'temporary', stage: 'request', message });
  }

  /** Includes hidden folders, because Exchange reserves their names too. */
  async #topLevel(name: string): Promise<MailFolder | null> {
    const found = findFolder(findNamed(await this.#children(null, { includeHiddenFolders: 'true' })), name);
    return found ? { ...found, role: await this.roleOf(found.id) } : null;
  }

  async #children(parent: GraphFolder | null, more: Record<string, string> = {}): Promise<GraphFolder[]> {
    const of = parent ? `/me/mailFolders/${encodeURIComponent(parent.id)}/childFolders` : '/me/mailFolders';
    const path = of + getQuery({ $select: 'id,displayName,childFolderCount', $top: PAGE, ...more });
    const all: GraphFolder[] = [];
    for await (const page of this.client.pages<GraphFolder>(path, 'GET /mailFolders', MAX_PAGES)) all.push(...page);
    return all;
  }

  async #findWellKnown(role: WellKnownRole, signal: AbortSignal | undefined): Promise<string | null> {
    try {
      const { body } = await this.client.json<GraphFolder>({
        method: 'GET',
        path: `/me/mailFolders/${WELL_KNOWN[role]}${getQuery({ $select: 'id' })}`,
        command: `GET /mailFolders/${WELL_KNOWN[role]}`,
        repeatable: true,
        ...(signal ? { signal } : {}),
      });
      return body.id;
    } catch (error) {
      if (isGraphNotFound(error)) return null;
      throw error;
    }
  }
}

function findNamed(folders: readonly GraphFolder[]): Omit<MailFolder, 'role'>[] {
  return folders.map(({ id, displayName }) => ({ id, name: displayName ?? '' }));
}
