import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { UserRecord } from './schemas/user.record';
import { UsersService } from './users.service';

@Module({ imports: [DatabaseModule.collections(UserRecord)], providers: [UsersService], exports: [UsersService] })
export class UsersModule {}
