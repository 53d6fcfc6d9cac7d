import { type Principal } from '@domain/access';
import { UsersService } from '../users/users.service';
import { InvitationsService, type Joiner } from '../workspaces/invitations.service';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { forbidden, invalidField } from '@platform/errors';
import {
  type AcceptInvitationRequest,
  type AcceptedInvitationResponse,
  toAcceptedInvitation,
} from './dto/acceptance.dto';
import { OperatorKeysService } from './operator-keys.service';

const KEY_NAME = 'First key';

/**
 * Accepts an invitation with a platform key of a user with the invited address, or creates a new user, who only claims
 * the address: the token proves the invitation, not who reads mail at the address. So no user can take over an address
 * by inviting it, and the answer does not reveal whether an address has a user.
 */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly joining: InvitationsService,
    private readonly users: UsersService,
    private readonly keys: OperatorKeysService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * @throws NOT_FOUND for an invalid token; FORBIDDEN for a key of another user, of a workspace, or without the write
   * scope; VALIDATION_ERROR for a new user without a name; CONFLICT, LIMIT_EXCEEDED
   */
  async accept(
    principal: Principal | null,
    { token, name }: AcceptInvitationRequest,
  ): Promise<AcceptedInvitationResponse> {
    return this.transactions.run(async () => {
      const joined = await this.joining.accept(token, (email) =>
        principal ? this.#invitedHolder(principal, email) : this.#newUser(email, name),
      );
      if (principal) return toAcceptedInvitation(joined, null);
      const { key } = await this.keys.issueForUser(
        joined.userId,
        { name: KEY_NAME },
        { kind: 'user', userId: joined.userId, keyId: null },
      );
      return toAcceptedInvitation(joined, key);
    });
  }

  async #invitedHolder({ userId, keyId, scopes }: Principal, email: string): Promise<Joiner> {
    if (!scopes.includes('write')) throw forbidden('This key is missing the permission: write');
    const user = userId === null ? null : await this.users.byId(userId);
    if (user?.email !== email)
      throw forbidden('This invitation is for another user; use a platform key of the invited user');
    return { userId: user.id, keyId };
  }

  async #newUser(email: string, name: string | undefined): Promise<Joiner> {
    if (name === undefined) throw invalidField('name', 'name is required for a new user');
    const user = await this.users.createClaiming({ email, name });
    return { userId: user.id, keyId: null };
  }
}
