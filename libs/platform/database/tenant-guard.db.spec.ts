import { getModelToken, Prop } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Schema, Types } from 'mongoose';
import { Collection } from './collection.decorator';
import { DatabaseModule } from './database.module';
import { TenantGuardError } from './database.errors';

@Collection('notes', { tenant: true, indexes: [{ serves: 'the guard’s own test', fields: { workspaceId: 1 } }] })
class Note {
  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String })
  text!: string;

  @Prop({ type: Date })
  createdAt!: Date;
}

describe('the tenant guard', () => {
  let database: TestDatabase;
  let notes: Model<Note>;
  const mine = new Types.ObjectId();
  const theirs = new Types.ObjectId();

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [DatabaseModule.collections(Note)] });
    notes = database.module.get<Model<Note>>(getModelToken(Note.name));
    await notes.create({ workspaceId: mine, text: 'mine' }, { workspaceId: theirs, text: 'theirs' });
  });
  afterAll(() => database.close());

  const unscoped: [string, () => Promise<unknown>][] = [
    ['find', () => notes.find({ text: 'mine' }).exec()],
    ['findOne', () => notes.findOne({}).exec()],
    ['findById', () => notes.findById(new Types.ObjectId()).exec()],
    ['countDocuments', () => notes.countDocuments({}).exec()],
    ['estimatedDocumentCount', () => notes.estimatedDocumentCount().exec()],
    ['distinct', () => notes.distinct('text').exec()],
    ['updateOne', () => notes.updateOne({ text: 'mine' }, { $set: { text: 'x' } }).exec()],
    ['updateMany', () => notes.updateMany({}, { $set: { text: 'x' } }).exec()],
    ['deleteOne', () => notes.deleteOne({ text: 'mine' }).exec()],
    ['deleteMany', () => notes.deleteMany({}).exec()],
    ['replaceOne', () => notes.replaceOne({}, { text: 'x' }).exec()],
    ['findOneAndUpdate', () => notes.findOneAndUpdate({}, { $set: { text: 'x' } }).exec()],
    ['findOneAndDelete', () => notes.findOneAndDelete({}).exec()],
    ['findOneAndReplace', () => notes.findOneAndReplace({}, { text: 'x' }).exec()],
    ['aggregate', () => notes.aggregate([{ $group: { _id: '$text' } }]).exec()],
    [
      'aggregate by a string, which is not cast',
      () => notes.aggregate([{ $match: { workspaceId: mine.toHexString() } }]).exec(),
    ],
    [
      'aggregate with $unionWith of all records',
      () => notes.aggregate([{ $match: { workspaceId: mine } }, { $unionWith: 'notes' }]).exec(),
    ],
    [
      'aggregate with $lookup',
      () =>
        notes
          .aggregate([
            { $match: { workspaceId: mine } },
            { $facet: { a: [{ $lookup: { from: 'notes', pipeline: [], as: 'x' } }] } },
          ])
          .exec(),
    ],
    ['insertMany', () => notes.insertMany([{ text: 'x' }])],
    ['insertMany without validation', () => notes.insertMany([{ text: 'x' }], { lean: true })],
    [
      'bulkWrite',
      () => notes.bulkWrite([{ updateOne: { filter: { text: 'mine' }, update: { $set: { text: 'x' } } } }]),
    ],
    ['a list of workspaces', () => notes.find({ workspaceId: { $in: [mine, theirs] } }).exec()],
    ['an operator as workspace', () => notes.find({ workspaceId: { $ne: null } as never }).exec()],
    ['an undefined workspace', () => notes.find({ workspaceId: undefined as never }).exec()],
  ];

  it.each(unscoped)('rejects %s without exactly one workspace', async (_name, call) => {
    await expect(call()).rejects.toThrow(TenantGuardError);
    expect(await notes.countDocuments({}, { allWorkspaces: 'test' })).toBe(2);
  });

  it('rejects saving a record without a workspace', async () => {
    await expect(notes.create({ text: 'nobody’s' })).rejects.toThrow(/workspaceId/);
  });

  const moves: [string, () => Promise<unknown>][] = [
    ['updateOne', () => notes.updateOne({ workspaceId: mine }, { $set: { workspaceId: theirs } }).exec()],
    ['updateMany without an operator', () => notes.updateMany({ workspaceId: mine }, { workspaceId: theirs }).exec()],
    ['unset', () => notes.updateOne({ workspaceId: mine }, { $unset: { workspaceId: 1 } }).exec()],
    ['rename', () => notes.updateOne({ workspaceId: mine }, { $rename: { text: 'workspaceId' } }).exec()],
    [
      'a pipeline',
      () =>
        notes.updateOne({ workspaceId: mine }, [{ $set: { workspaceId: theirs } }], { updatePipeline: true }).exec(),
    ],
    ['replaceOne', () => notes.replaceOne({ workspaceId: mine }, { text: 'x' }).exec()],
    [
      'findOneAndReplace',
      () => notes.findOneAndReplace({ workspaceId: mine }, { workspaceId: theirs, text: 'x' }).exec(),
    ],
    [
      'bulkWrite',
      () =>
        notes.bulkWrite([{ updateOne: { filter: { workspaceId: mine }, update: { $set: { workspaceId: theirs } } } }]),
    ],
    [
      'a replacement in a bulk write',
      () =>
        notes.bulkWrite([
          { replaceOne: { filter: { workspaceId: mine }, replacement: { workspaceId: theirs, text: 'x' } as never } },
        ]),
    ],
    [
      'save',
      async () => {
        const note = await notes.findOne({ workspaceId: mine });
        note!.workspaceId = theirs;
        await note!.save();
      },
    ],
  ];

  it.each(moves)('rejects moving a record to another workspace by %s', async (_name, call) => {
    await expect(call()).rejects.toThrow(/may not change workspaceId|from its workspace/);
    expect(await notes.countDocuments({ workspaceId: mine })).toBe(1);
  });

  it('allows a call that names its workspace, and returns nothing of another', async () => {
    expect((await notes.find({ workspaceId: mine }).lean()).map(({ text }) => text)).toEqual(['mine']);
    expect(await notes.aggregate([{ $match: { workspaceId: theirs } }, { $project: { _id: 0, text: 1 } }])).toEqual([
      { text: 'theirs' },
    ]);
    await notes.bulkWrite([{ updateOne: { filter: { workspaceId: mine }, update: { $set: { text: 'mine' } } } }]);
  });

  it('allows a call with a reason for all workspaces', async () => {
    expect(await notes.find({}).setOptions({ allWorkspaces: 'test' }).lean()).toHaveLength(2);
    expect(await notes.aggregate([{ $count: 'n' }], { allWorkspaces: 'test' })).toEqual([{ n: 2 }]);
  });

  it('sets createdAt from the injected clock', async () => {
    const at = new Date('2030-01-01T00:00:00.000Z');
    database.clock.freeze(at);
    const note = await notes.create({ workspaceId: mine, text: 'later' });
    database.clock.reset();
    expect(note.createdAt).toEqual(at);
    await notes.deleteOne({ workspaceId: mine, _id: note._id });
  });
});
