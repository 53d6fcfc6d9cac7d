import { type Principal } from '@domain/access';
import { UsersService } from '@domain/users';
import { type Joiner, JoiningService } from '@domain/workspaces';
import { Injectable } from '@nestjs/common';
import { Transactions } from '@platform/database';
import { forbidden, invalidField } from '@platform/errors';
import {
  type AcceptedInvitationResponse,
  type AcceptInvitationRequest,
  toAcceptedInvitation,
} from './dto/acceptance.dto';
import { OperatorKeysService } from './api-keys.operator.service';

const KEY_NAME = 'First key';

/** An invitation is accepted with the invited user's key, or, where nobody has that address yet, by becoming a user. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly joining: JoiningService,
    private readonly users: UsersService,
    private readonly keys: OperatorKeysService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @throws NOT_FOUND for a token that opens nothing; FORBIDDEN for the key of somebody else or a workspace, and without
   * a key where the invited user exists; VALIDATION_ERROR for a new user without a name; CONFLICT, LIMIT_EXCEEDED
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

  async #invitedHolder({ userId, keyId }: Principal, email: string): Promise<Joiner> {
    const user = userId === null ? null : await this.users.byId(userId);
    if (user?.email !== email)
      throw forbidden('This invitation is for somebody else; use a platform key of the invited user');
    return { userId: user.id, keyId };
  }

  async #newUser(email: string, name: string | undefined): Promise<Joiner> {
    if (await this.users.byEmail(email))
      throw forbidden('A user with the invited address exists; use a platform key of that user');
    if (name === undefined) throw invalidField('name', 'name is required for a new user');
    const user = await this.users.create({ email, name });
    return { userId: user.id, keyId: null };
  }
}
