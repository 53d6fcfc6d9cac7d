import { type Type } from '@nestjs/common';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { InvitationAcceptanceController } from './api-keys/invitation-acceptance.controller';
import { AuditController } from './audit/audit.controller';
import { CreditsController } from './credits/credits.controller';
import { HealthController } from './health/health.controller';
import { MailboxActionsController } from './mailboxes/mailbox-actions.controller';
import { MailboxesController } from './mailboxes/mailboxes.controller';
import { OAuthCallbackController } from './mailboxes/oauth-callback.controller';
import { OAuthController } from './mailboxes/oauth.controller';
import { InvitationsController } from './workspaces/invitations.controller';
import { MembersController } from './workspaces/members.controller';
import { WorkspacesController } from './workspaces/workspaces.controller';

/** The HTTP surface: every controller, in the order of the documentation. Tests walk this list. */
export const controllers: readonly Type[] = [
  WorkspacesController,
  MembersController,
  InvitationsController,
  InvitationAcceptanceController,
  ApiKeysController,
  CreditsController,
  OAuthController,
  MailboxesController,
  MailboxActionsController,
  AuditController,
  OAuthCallbackController,
  HealthController,
];
