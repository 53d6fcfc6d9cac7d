import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Notified of the DKIM selector that signed an email of a domain. */
type SelectorObserver = (workspace: Workspace, domain: string, selector: string) => Promise<void>;

/** Maximum signatures read per email: relays and lists add theirs to that of the domain. */
const MAX_SIGNATURES = 10;
/** Longer fields are cut: in practice `d=` and `s=` precede the signature. */
const MAX_CHARACTERS = 4_096;

/**
 * DKIM selectors of the mailboxes' own emails, found where one is read as received. It connects the finders with the
 * domain that registers for them.
 */
@Injectable()
export class SentSignatureRegistry {
  readonly #observers = new Set<SelectorObserver>();

  /** Call it once, when the module starts. */
  register(observer: SelectorObserver): void {
    this.#observers.add(observer);
  }

  /**
   * Records an email that a mailbox of the workspace sent, by its DKIM-Signature fields (RFC 6376, section 3.5).
   * Signatures of other domains are ignored. Not inside a transaction.
   * @param email address of the mailbox
   * @param fields unfolded values, without the field name
   */
  async record(workspace: Workspace, email: string, fields: readonly string[]): Promise<void> {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    for (const selector of parseSelectors(fields, domain)) {
      for (const observe of this.#observers) await observe(workspace, domain, selector);
    }
  }
}

/** Distinct selectors of the fields whose `d=` is the domain. */
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
