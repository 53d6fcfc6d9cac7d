import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';

/** Verifies the addresses of unverified leads. */
export interface LeadVerifier {
  /** The campaign has leads to verify. Must not throw when verification cannot start now: a sweep finds the leads. */
  onLeadsAdded(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: Types.ObjectId): Promise<void>;
}

/** Where the verifying domain registers, which the leads library does not know. */
@Injectable()
export class LeadVerifierRegistry {
  readonly #verifiers: LeadVerifier[] = [];

  register(verifier: LeadVerifier): void {
    this.#verifiers.push(verifier);
  }

  async notifyLeadsAdded(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: Types.ObjectId): Promise<void> {
    for (const verifier of this.#verifiers) await verifier.onLeadsAdded(workspace, campaignId);
  }
}
