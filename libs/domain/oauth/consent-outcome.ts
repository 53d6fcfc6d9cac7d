import { systemScope, type WorkspaceScope } from '@domain/access';
import { redirectTarget } from '@platform/oauth';
import { invalidField } from '@platform/errors';
import { type OAuthConsentRecord } from './schemas/oauth-consent.record';

/** The outcome shown to the returning browser. `unknown`: the state was never issued, was used before, or has expired. */
export type ConsentOutcome =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'completed' | 'failed';
      /** The connected account, or why nothing was connected. */
      readonly message: string;
      /** Where to redirect the browser; null to show a page. */
      readonly redirectUrl: string | null;
    };

/** The actor of the callback is the actor who started the consent. */
export function scopeOfConsent({ workspaceId, startedBy }: OAuthConsentRecord): WorkspaceScope {
  return { ...systemScope(workspaceId.toHexString()), actor: startedBy };
}

/** Where the browser may be sent afterwards. @throws VALIDATION_ERROR */
export function consentRedirect(requested: string | undefined, publicUrl: string): string | null {
  if (requested === undefined) return null;
  const target = redirectTarget(requested, publicUrl);
  if (target !== null) return target;
  throw invalidField('redirectUrl', 'redirectUrl must be an https address without a user name, or one of this server');
}
