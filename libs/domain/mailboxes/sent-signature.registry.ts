import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Is told with which DKIM selector an email of a domain was signed. */
type SelectorObserver = (workspace: Workspace, domain: string, selector: string) => Promise<void>;

/** Signatures of one email that are looked at: those of relays and lists stand beside the domain's own. */
const MAX_SIGNATURES = 10;
/** Longer ones are cut: `d=` and `s=` stand before the signature itself in all that are seen. */
const MAX_CHARACTERS = 4_096;

/**
 * What the mailboxes' own emails were signed with, where somebody reads one as it was received. Whoever reads one tells it here;
 * who wants to know registers when its module starts: they need not know each other.
 */
@Injectable()
export class SentSignatureRegistry {
  readonly #observers = new Set<SelectorObserver>();

  /** Call it once, when the module starts. */
  register(observer: SelectorObserver): void {
    this.#observers.add(observer);
  }

  /**
   * Tells of an email that one of the workspace's mailboxes has sent, by its DKIM-Signature fields (RFC 6376, section 3.5). Those
   * of other domains than the mailbox's say nothing of it and are passed over. Not inside a transaction.
   * @param email address of the mailbox
   * @param fields unfolded values, without the name of the field
   */
  async record(workspace: Workspace, email: string, fields: readonly string[]): Promise<void> {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    for (const selector of parseSelectors(fields, domain)) {
      for (const observe of this.#observers) await observe(workspace, domain, selector);
    }
  }
}

/** Selectors of the fields whose `d=` is the domain, each once. */
function parseSelectors(fields: readonly string[], domain: string): Set<string> {
  const own = fields.slice(0, MAX_SIGNATURES).flatMap((field) => {
    const tags = parseTags(field.slice(0, MAX_CHARACTERS));
    const selector = tags.get('s');
    return selector && tags.get('d')?.toLowerCase() === domain ? [selector] : [];
  });
  return new Set(own);
}

function parseTags(field: string): ReadonlyMap<string, string> {
  const tags = field.split(';').map((tag) => {
    const equals = tag.indexOf('=');
    return [tag.slice(0, Math.max(0, equals)).trim(), tag.slice(equals + 1).replaceAll(/\s/g, '')] as const;
  });
  return new Map(tags);
}
