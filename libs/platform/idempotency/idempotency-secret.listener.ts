import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { encryptedFields } from '@platform/database';
import { SecretStoreRegistry } from '@platform/secrets';
import { type Model } from 'mongoose';
import { getAnswerOwner, IdempotencyRecord } from './idempotency.record';

/** Registers the encrypted responses for key rotation. */
@Injectable()
export class IdempotencySecretListener implements OnModuleInit {
  constructor(
    @InjectModel(IdempotencyRecord.name) private readonly records: Model<IdempotencyRecord>,
    private readonly stores: SecretStoreRegistry,
  ) {}

  onModuleInit(): void {
    const answer = { path: 'sealedBody', name: 'answer', owner: ({ _id }: IdempotencyRecord) => getAnswerOwner(_id) };
    this.stores.add(encryptedFields(this.records, [answer]));
  }
}
