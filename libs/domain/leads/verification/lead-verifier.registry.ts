import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';

/** Whoever verifies the addresses of held leads. */
export interface LeadVerifier {
  /** There are leads to verify in the campaign. Must not throw when it cannot begin now: what waits is found by a sweep. */
  onLeadsAdded(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: Types.ObjectId): Promise<void>;
}

/** Where the domain that verifies registers itself, which leads do not know. */
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
