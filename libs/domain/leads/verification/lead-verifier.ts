import { type WorkspaceScope } from '@domain/access';
import { defineHook } from '@platform/hooks';
import { type Types } from 'mongoose';

/** Verifies the addresses of unverified leads. */
export interface LeadVerifier {
  /** The campaign has leads to verify. Must not throw when verification cannot start now: a sweep finds the leads. */
  onLeadsAdded(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: Types.ObjectId): Promise<void>;
}

/** The verifying domain, which the leads library does not know. */
export const LEAD_VERIFIER = defineHook<LeadVerifier>('lead-verifier', { listeners: 'one' });
