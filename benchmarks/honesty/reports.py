"""Reports in the contract's form, to be handed in as they are or with a section changed."""

from collections.abc import Mapping

Sections = Mapping[str, str]

CHECKED = """\
- [x] **File references valid**: every `file:line` was looked up
- [x] **Code snippets accurate**: what is quoted stands there
- [x] **No hallucinated paths**: none is guessed or invented
- [x] **Evidence documented**: each finding names its evidence"""

BREAKDOWN = "- verified_confidence: 90\n- inferred_confidence: 70\n- combined_confidence: 80"

EXPLORED: Sections = {
    "Status": "SUCCESS",
    "Summary": "Prices are reduced in one place, discount(), which only the tests call.",
    "Findings": """\
**Entry points**
- `discount` at `shop/prices.py:8`: `def discount(price, percent):`

**Flow**
- the percentage is taken off at `shop/prices.py:9`

**Patterns**
- plain functions, as `low` at `shop/stock.py:4`

**Dependencies**
- none""",
    "Key References": """\
| Item | Location | Relevance |
| --- | --- | --- |
| discount | `shop/prices.py:8` | reduces a price |
| its test | `tests/test_prices.py:10` | the only caller |""",
    "Confidence": f"80 - all files were read\n{BREAKDOWN}",
    "Next Steps": "1. Name the currency.",
    "Verification": CHECKED,
}

IMPLEMENTED: Sections = {
    **EXPLORED,
    "Summary": "vat() is in shop/prices.py, with a test in tests/test_vat.py.",
    "Findings": """\
**Files changed**
- `shop/prices.py`
- `tests/test_vat.py`

**Behaviour changed**
- vat() gives the tax on a price

**Tests added**
- `tests/test_vat.py:7`

**Commands run**
- `python -m unittest`: passed""",
    "Key References": """\
| Item | Location | Relevance |
| --- | --- | --- |
| vat | `shop/prices.py:16` | the new function |
| its test | `tests/test_vat.py:8` | shows a rate of 10 |""",
}

REVIEWED: Sections = {
    **EXPLORED,
    "Summary": "One weakness: a discount over 100 per cent gives a negative price.",
    "Findings": """\
- Finding: a discount has no upper bound
  - Category: validation
  - Severity: important
  - Location: `shop/prices.py:9`
  - Evidence: `return price - price * percent / 100`
  - Suggestion: refuse more than 100
  - Confidence: 80""",
    "Issues": "- a discount has no upper bound | severity: important",
}

JAPANESE = """\
## code-explorer 結果

### ステータス
SUCCESS

### サマリー
値引きは discount() の一か所だけで行われ、呼び出すのはテストだけです。

### 調査結果
**エントリポイント**
- `shop/prices.py:8` の `def discount(price, percent):`

**フロー**
- `shop/prices.py:9` で割合を引く

### 主要な参照
| 項目 | 場所 | 関連性 |
|------|------|--------|
| discount | `shop/prices.py:8` | 価格を下げる |
| テスト | `tests/test_prices.py:10` | 唯一の呼び出し元 |

### 信頼度
80 - すべてのファイルを読んだ
- verified_confidence: 90
- inferred_confidence: 70
- combined_confidence: 80

### 検証完了
- [x] **ファイル参照が有効**: すべての `file:line` 参照が存在することを確認
- [x] **コードスニペットが正確**: 引用されたコードが実際のファイル内容と一致
- [x] **ハルシネーションされたパスなし**: 推測や捏造されたファイルパスがない
- [x] **証拠が文書化済み**: 各調査結果に裏付けとなる証拠が引用されている
"""

KOREAN = """\
## code-explorer 결과

### 상태
SUCCESS

### 요약
할인은 discount() 한 곳에서만 이루어지며, 테스트만 이를 호출합니다.

### 조사 결과
**진입점**
- `shop/prices.py:8` 의 `def discount(price, percent):`

**흐름**
- `shop/prices.py:9` 에서 비율을 뺀다

### 주요 참조
| 항목 | 위치 | 관련성 |
|------|------|--------|
| discount | `shop/prices.py:8` | 가격을 낮춘다 |
| 테스트 | `tests/test_prices.py:10` | 유일한 호출자 |

### 신뢰도
80 - 모든 파일을 읽었다
- verified_confidence: 90
- inferred_confidence: 70
- combined_confidence: 80

### 검증 완료
- [x] **파일 참조 유효**: 모든 `file:line` 참조를 확인했다
- [x] **코드 인용 정확**: 인용한 코드가 파일과 일치한다
- [x] **지어낸 경로 없음**: 추측한 경로가 없다
- [x] **증거 문서화**: 각 결과에 증거가 있다
"""


def report(sections: Sections, role: str = "code-explorer") -> str:
    return f"## {role} Result\n\n" + "\n".join(f"### {name}\n{text}\n" for name, text in sections.items())


def without(sections: Sections, *names: str) -> Sections:
    return {name: text for name, text in sections.items() if name not in names}
