// Asks one JavaScript library: the same requests and answers as libraries.py.
//   node libraries.mjs LIBRARY FOLDER     (the folder that has node_modules)
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [, , library, folder] = process.argv
const load = createRequire(pathToFileURL(`${folder}/x.js`))
const imported = async (name) => {
  const file = load.resolve(name) // of chessops this is a CommonJS file, which a module cannot import
  return import(pathToFileURL(file.replace('/dist/cjs/', '/dist/esm/')))
}
const squares = (uci) => ({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] })
const placement = (fen) => fen.split(' ')[0]

async function chessJs() {
  const { Chess } = await imported('chess.js')
  const played = ({ fen, moves }) => {
    const game = new Chess(fen)
    for (const move of moves) game.move(squares(move))
    return game
  }
  return {
    fen: (request) => played(request).fen(),
    san: (request) => played(request).history().at(-1),
    repeated: (request) => played(request).isThreefoldRepetition(),
    read: ({ pgn }) => {
      const game = new Chess()
      game.loadPgn(pgn)
      const moves = game.history({ verbose: true })
      const first = moves.length ? moves[0].before : game.fen()
      return [{ boards: [first, ...moves.map((move) => move.after)].map(placement) }]
    },
  }
}

async function chessops() {
  const { makeFen, parseFen } = await imported('chessops/fen')
  const { Chess } = await imported('chessops/chess')
  const { makeSan, parseSan } = await imported('chessops/san')
  const { parseComment, parsePgn, startingPosition } = await imported('chessops/pgn')
  const { parseUci } = await imported('chessops/util')
  const played = ({ fen, moves }) => {
    const position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap()
    for (const move of moves) position.play(parseUci(move))
    return position
  }
  return {
    fen: (request) => makeFen(played(request).toSetup()),
    san: ({ fen, moves }) => makeSan(played({ fen, moves: moves.slice(0, -1) }), parseUci(moves.at(-1))),
    eval: ({ comment }) => JSON.stringify(parseComment(comment).evaluation ?? 'text'),
    read: ({ pgn }) => parsePgn(pgn).map((game) => {
      const position = startingPosition(game.headers).unwrap()
      const boards = [placement(makeFen(position.toSetup()))]
      let marks = 0
      for (const node of game.moves.mainline()) {
        const move = parseSan(position, node.san)
        if (!move) throw new Error(`illegal move ${node.san}`)
        position.play(move)
        boards.push(placement(makeFen(position.toSetup())))
        marks += node.nags?.length ?? 0
      }
      return { boards, marks }
    }),
  }
}

async function kokopu() {
  const { Position, pgnRead } = load('kokopu')
  const played = ({ fen, moves, chess960 }) => {
    const position = chess960 ? new Position('chess960', fen) : new Position(fen)
    for (const move of moves) {
      if (!position.play(position.uci(move))) throw new Error(`illegal move ${move}`)
    }
    return position
  }
  return {
    fen: (request) => played(request).fen(),
    san: ({ fen, moves }) => {
      const position = played({ fen, moves: moves.slice(0, -1) })
      return position.notation(position.uci(moves.at(-1)))
    },
    read: ({ pgn }) => Array.from({ length: pgnRead(pgn).gameCount() }, (_, number) => {
      const game = pgnRead(pgn).game(number)
      const nodes = game.mainVariation().nodes()
      const positions = [game.initialPosition(), ...nodes.map((node) => node.position())]
      const marks = nodes.reduce((sum, node) => sum + node.nags().length, 0)
      return { boards: positions.map((position) => placement(position.fen())), marks }
    }),
  }
}

// cm-chess, and the library of ChessDojo, which has grown out of it.
function trees(Chess, marksOf, options) {
  const played = ({ fen, moves, chess960 }) => {
    const game = new Chess({ fen, ...(chess960 ? options : {}) })
    for (const move of moves) if (!game.move(squares(move))) throw new Error(`illegal move ${move}`)
    return game
  }
  return {
    fen: (request) => played(request).fen(),
    san: (request) => played(request).history().at(-1).san,
    repeated: ({ fen, moves }) => {
      const game = played({ fen, moves })
      return (game.isThreefoldRepetition ?? game.inThreefoldRepetition).call(game)
    },
    eval: ({ comment }) => {
      const found = new Chess({ pgn: `1. e4 {${comment}} *` }).history()[0]
      return JSON.stringify(found.commentDiag?.eval ?? 'text')
    },
    read: ({ pgn }) => {
      const game = new Chess({ pgn, ...(pgn.includes('[Variant "Chess960"]') ? options : {}) })
      const moves = game.history()
      const boards = [game.setUpFen(), ...moves.map((move) => move.fen)].map(placement)
      return [{ boards, marks: moves.reduce((sum, move) => sum + marksOf(move), 0) }]
    },
  }
}

async function cmChess() {
  const { Chess, GAME_VARIANT } = await imported('cm-chess')
  return trees(Chess, (move) => (move.nag ? 1 : 0), { gameVariant: GAME_VARIANT.chess960 })
}

async function chessDojo() {
  const { Chess } = load('@jackstenglein/chess')
  return trees(Chess, (move) => move.nags?.length ?? 0, {})
}

async function pgnReader() {
  const { PgnReader } = load('@mliebelt/pgn-reader')
  return {
    eval: ({ comment }) => {
      const game = new PgnReader({ pgn: `1. e4 {${comment}} *` })
      return JSON.stringify(game.getMoves()[0].commentDiag?.eval ?? 'text')
    },
    read: ({ pgn }) => {
      const game = new PgnReader({ pgn })
      const moves = game.getMoves().filter((move) => move.variationLevel === 0)
      const start = pgn.match(/\[FEN "([^" ]*)/)?.[1] ?? 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
      const marks = moves.reduce((sum, move) => sum + (move.nag?.length ?? 0), 0)
      return [{ boards: [start, ...moves.map((move) => placement(move.fen))], marks }]
    },
  }
}

const libraries = {
  'chess.js': chessJs, chessops, kokopu, 'cm-chess': cmChess, '@jackstenglein/chess': chessDojo,
  '@mliebelt/pgn-reader': pgnReader,
}
const asked = await libraries[library]()
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let answer
  try {
    answer = { answer: asked[request.ask]?.(request) ?? null }
  } catch (error) {
    answer = { error: `${error.name ?? 'Error'}: ${String(error.message ?? error).split('\n')[0].slice(0, 100)}` }
  }
  console.log(JSON.stringify(answer))
}
