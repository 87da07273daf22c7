"""Items, declared types, the facts about them, and the memo engine. Reports nothing by itself."""
