import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimNote, noteBaseUrl, readNote, removeNote } from '../../bin/local/note.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'note-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the note of a running service', () => {
  test('is none where the file is gone or garbage', async () => {
    const dataDir = await mkdtemp(join(folder, 'notes-'));
    const note = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table', pid: 1, startTime: '12' };
    await claimNote(dataDir, note);
    expect(await readNote(dataDir)).toEqual(note);
    for (const garbage of ['', '{', 'null', '[]', '{"endpoint":"x","tableName":"t","pid":1}', '{"endpoint":1}']) {
      await writeFile(join(dataDir, 'service.json'), garbage);
      expect(await readNote(dataDir)).toBeUndefined();
    }
    await removeNote(dataDir);
    await removeNote(dataDir);
    expect(await readNote(dataDir)).toBeUndefined();
  });

  test('is that of one start at a time, which that start alone takes away', async () => {
    const dataDir = await mkdtemp(join(folder, 'claims-'));
    const note = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table', pid: 1 };
    expect([await claimNote(dataDir, note), await claimNote(dataDir, { ...note, pid: 2 })]).toEqual([true, false]);
    await removeNote(dataDir, 2);
    expect(await readNote(dataDir)).toEqual(note);
    await removeNote(dataDir, 1);
    expect(await readNote(dataDir)).toBeUndefined();
  });

  test('says where the service is from the moment it is there, by the start that left the note', async () => {
    const dataDir = await mkdtemp(join(folder, 'addresses-'));
    const note = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table', pid: 1, startTime: '12' };
    await noteBaseUrl(dataDir, 1, 'http://localhost:3000');
    expect(await readNote(dataDir)).toBeUndefined();
    await claimNote(dataDir, note);
    await noteBaseUrl(dataDir, 2, 'http://localhost:3000');
    expect(await readNote(dataDir)).toEqual(note);
    await noteBaseUrl(dataDir, 1, 'http://localhost:3000');
    expect(await readNote(dataDir)).toEqual({ ...note, baseUrl: 'http://localhost:3000' });
    expect(await claimNote(dataDir, { ...note, pid: 2 })).toBe(false);
    await writeFile(join(dataDir, 'service.json'), JSON.stringify({ ...note, baseUrl: 3000 }));
    expect(await readNote(dataDir)).toEqual(note);
    expect(await readdir(dataDir)).toEqual(['service.json']);
  });
});
