import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { chatSecretOwner } from './chat-secrets';
import { ChatConnectionRecord } from './schemas/chat-connection.record';

/** Registers the secrets of chat connections for key rotation. */
@Injectable()
export class ChatSecretListener implements OnModuleInit {
  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const secret = {
      path: 'secret',
      name: 'secret',
      owner: ({ _id, workspaceId }: ChatConnectionRecord) => chatSecretOwner(workspaceId, _id),
    };
    this.stores.add(encryptedFields(this.connections, [secret], ['workspaceId']));
  }
}
